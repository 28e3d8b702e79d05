// Handles to the objects of a model: see pli_slots in model.h. A slot is never reused, so the
// handle of a removed object never refers to a new one.
#include "model/model.h"

pli_status pli_slots_reserve(pli_model* model, pli_slot_kind kind, pli_error* error) {
    pli_slots* slots = &model->slots[kind];
    return PLI_GROW(model->memory, slots->number, slots->capacity, slots->count + 1, error);
}

int32_t pli_slots_add(pli_model* model, pli_slot_kind kind, int number) {
    pli_slots* slots = &model->slots[kind];
    PLI_ASSERT(slots->count < slots->capacity);
    slots->number[slots->count] = number;
    return slots->count++;
}

int pli_slots_number(const pli_model* model, pli_slot_kind kind, int32_t slot) {
    const pli_slots* slots = &model->slots[kind];
    return slot >= 0 && slot < slots->count ? slots->number[slot] : -1;
}

int32_t pli_slots_find(const pli_model* model, pli_slot_kind kind, int number) {
    const pli_slots* slots = &model->slots[kind];
    for (int32_t i = slots->count; i-- > 0;)
        if (slots->number[i] == number) return i;
    return -1;
}

void pli_slots_remove(pli_model* model, pli_slot_kind kind, int number) {
    pli_slots* slots = &model->slots[kind];
    for (int i = 0; i < slots->count; ++i) {
        if (slots->number[i] == number)
            slots->number[i] = -1;
        else if (slots->number[i] > number)
            slots->number[i]--;
    }
}

void pli_slots_free(pli_model* model) {
    for (int k = 0; k < PLI_SLOT_KIND_COUNT; ++k)
        PLI_FREE(model->memory, model->slots[k].number, model->slots[k].capacity);
}
