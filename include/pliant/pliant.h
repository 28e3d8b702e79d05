// Pliant: simulation of solids by minimizing energy. This header includes all others.
#ifndef PLIANT_PLIANT_H
#define PLIANT_PLIANT_H

#include "pliant/base.h"
#include "pliant/change.h"
#include "pliant/checkpoint.h"
#include "pliant/derivatives.h"
#include "pliant/energy.h"
#include "pliant/export.h"
#include "pliant/import.h"
#include "pliant/joint.h"
#include "pliant/list.h"
#include "pliant/measure.h"
#include "pliant/mesh.h"
#include "pliant/param.h"
#include "pliant/record.h"
#include "pliant/replay.h"
#include "pliant/report.h"
#include "pliant/scene.h"
#include "pliant/survey.h"
#include "pliant/world.h"

#endif
