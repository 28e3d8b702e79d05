// GLSL of everything that is drawn. Colours are display values, no conversion; the shade of a face goes
// from the body's dark colour to its light one, by the light of the pictures (src/render/raster.h).

import { Matrix4 } from 'three';

// Uniforms that all materials share: one object each, so that one assignment reaches every material.
export function sharedUniforms() {
  return {
    uClip: { value: [0, 0, 0, 1] }, // points with dot(xyz, p) > w are cut away
    uPixel: { value: [0, 0] }, // size of a pixel [m]: x + y * depth
    uBodies: { value: null }, // per body: light colour and opacity, dark colour and whether it is an obstacle
    uMap: { value: null },
    uRange: { value: [0, 1] },
    uByField: { value: 0 }, // 1: bodies, never obstacles
    uPlane: { value: 0 }, // 1: a scene in the plane, no shading
    uInk: { value: [0, 0, 0] },
    uSelected: { value: -1 },
    // light.js
    uKey: { value: [0, 1, 0] },
    uShadows: { value: null },
    uToShadow: { value: new Matrix4() },
    uTexel: { value: 0 }, // of the shadow map [m]
    uHasShadows: { value: 0 },
    uAmbient: { value: null },
    uHasAmbient: { value: 0 },
    uScreen: { value: [1, 1] }, // 1 / size of the picture [1/px]
  };
}

const common = /* glsl */ `
uniform vec4 uClip;
uniform vec2 uPixel;
uniform sampler2D uBodies;
uniform sampler2D uMap;
uniform vec2 uRange;
uniform float uByField;
uniform float uPlane;
uniform vec3 uInk;
uniform float uSelected;
vec4 bodyRow(float body, int row) {
  int b = int(body + 0.5);
  return texelFetch(uBodies, ivec2(b % 1024, 2 * (b / 1024) + row), 0);
}
`;

// Which bodies a pass draws, by their opacity: uPass 0 the opaque ones, 1 those that one sees through.
const passing = /* glsl */ `
uniform float uPass;
bool elsewhere(float body) {
  float opacity = bodyRow(body, 0).a;
  return uPass < 0.5 ? opacity < 0.995 : opacity < 0.005 || opacity >= 0.995;
}
const vec4 NOWHERE = vec4(2.0, 2.0, 2.0, 1.0);
`;

const shading = /* glsl */ `
bool cut(vec3 world) { return dot(uClip.xyz, world) > uClip.w; }

uniform vec3 uKey;
uniform highp sampler2DShadow uShadows;
uniform mat4 uToShadow;
uniform float uTexel, uHasShadows, uHasAmbient;
uniform sampler2D uAmbient;
uniform vec2 uScreen;

// How much of the key light arrives: eight tests, each over four texels, around the point. The normal is in
// the world, towards the light or not.
float lightAt(vec3 world, vec3 normal) {
  if (uHasShadows < 0.5) return 1.0;
  vec3 from = world + 3.0 * uTexel * normal + 1.5 * uTexel * uKey;
  vec3 at = (uToShadow * vec4(from, 1.0)).xyz;
  if (any(lessThan(at, vec3(0.0))) || any(greaterThan(at, vec3(1.0)))) return 1.0;
  vec2 texel = 2.6 / vec2(textureSize(uShadows, 0));
  const vec2 AROUND[8] = vec2[8](vec2(-0.4, -1.2), vec2(0.9, -0.9), vec2(-1.3, -0.1), vec2(0.1, 0.0),
    vec2(1.3, 0.3), vec2(-0.8, 1.0), vec2(0.5, 1.2), vec2(-0.2, 0.5));
  float sum = 0.0;
  for (int i = 0; i < 8; ++i) sum += texture(uShadows, vec3(at.xy + texel * AROUND[i], at.z));
  return sum / 8.0;
}
float ambientHere() { return uHasAmbient < 0.5 ? 1.0 : texture2D(uAmbient, gl_FragCoord.xy * uScreen).r; }

// Brightness at a normal as the viewer sees it, times part: light from the camera's upper left, which
// shows every shape, and a key light of the scene, which throws shadows.
float lit(vec3 n, vec3 world, float part) {
  const vec3 light = vec3(-0.42, 0.69, 0.59);
  vec3 normal = (vec4(n, 0.0) * viewMatrix).xyz;
  float around = max(0.0, (dot(n, light) + 0.4) / 1.4);
  float facing = dot(normal, uKey);
  float key = smoothstep(-0.15, 0.55, facing);
  if (key > 0.0) key *= lightAt(world, normal);
  float shade = 0.14 + 0.44 * around + 0.42 * key;
  return part * min(1.0, shade);
}

vec3 mapped(float value) {
  float t = (value - uRange.x) / max(uRange.y - uRange.x, 1e-30);
  if (!(t >= -1e30 && t <= 1e30)) return vec3(0.55);
  return texture2D(uMap, vec2(clamp(t, 0.002, 0.998), 0.5)).rgb;
}

// lining: how much of the colour of the back of sheets.
vec3 surfaceColour(float body, float value, float shade, float lining) {
  const vec3 pale = vec3(0.949, 0.937, 0.914);
  vec4 fill = bodyRow(body, 0), edge = bodyRow(body, 1);
  vec3 plain = mix(mix(edge.rgb, pale, 0.35 * lining), mix(fill.rgb, pale, 0.5 * lining), shade);
  // A field is read by its colours: light changes them little.
  vec3 colour = uByField > 0.5 && edge.a < 0.5 ? mapped(value) * (0.72 + 0.3 * shade) : plain;
  if (uPlane < 0.5) colour *= 0.38 + 0.62 * ambientHere();
  return abs(body - uSelected) < 0.5 ? mix(colour, vec3(1.0), 0.16) : colour;
}

vec3 marked(vec3 colour, float mark, float strength) {
  return mix(colour, vec3(0.84, 0.1, 0.1), strength * smoothstep(0.25, 0.75, mark));
}
float markStrength() { return uByField > 0.5 ? 0.25 : 0.85; } // the colours of a field stay readable
`;

// A sheet with a thickness has two surfaces, each an instance, on both sides of its triangles. Of others
// the second instance is nothing.
export const surfaceVertex = /* glsl */ `${common}${passing}
attribute float body, value, mark, sheet;
attribute vec3 smoothNormal;
varying vec3 vWorld, vView, vNormal;
varying float vValue, vMark;
flat varying float vBody, vSheet, vSide;
void main() {
  float side = gl_InstanceID == 0 ? 1.0 : -1.0;
  vSheet = sheet;
  vSide = sheet > 0.0 ? side : 0.0;
  float size = length(smoothNormal);
  vWorld = position;
  if (sheet > 0.0 && size > 0.0) vWorld += smoothNormal * (side * sheet / size);
  vec4 view = modelViewMatrix * vec4(vWorld, 1.0);
  vView = view.xyz;
  vNormal = mat3(modelViewMatrix) * smoothNormal;
  vValue = value; vMark = mark; vBody = body;
  gl_Position = projectionMatrix * view;
  if ((side < 0.0 && !(sheet > 0.0)) || elsewhere(body)) gl_Position = NOWHERE;
}`;

// vSheet: half of the thickness [m]; below 0 for closed bodies.
export const surfaceFragment = /* glsl */ `${common}${shading}
uniform float uSmooth;
varying vec3 vWorld, vView, vNormal;
varying float vValue, vMark;
flat varying float vBody, vSheet, vSide;
void main() {
  if (cut(vWorld)) discard;
  bool behind = vSide == 0.0 ? !gl_FrontFacing : vSide < 0.0;
  vec3 n = normalize(cross(dFdx(vView), dFdy(vView)));
  // Normals are split at creases, so they may be taken as they are; only where they point away from
  // the viewer, at coarse outlines, does the face count.
  if (uSmooth > 0.5 && dot(vNormal, vNormal) > 0.0) {
    vec3 even = normalize(vNormal) * (gl_FrontFacing ? 1.0 : -1.0);
    n = normalize(mix(n, even, smoothstep(-0.1, 0.25, dot(n, even))));
  }
  bool lining = behind && vSheet >= 0.0;
  float shade = uPlane > 0.5 ? 0.92 : lit(n, vWorld, lining ? 0.9 : behind ? 0.75 : 1.0);
  vec3 colour = surfaceColour(vBody, vValue, shade, lining && uPlane < 0.5 ? 1.0 : 0.0);
  gl_FragColor = vec4(marked(colour, vMark, markStrength()), bodyRow(vBody, 0).a);
}`;
// Depths alone, of surfaces and of tubes and balls.
export const depthFragment = /* glsl */ `${common}
varying vec3 vWorld;
void main() {
  if (dot(uClip.xyz, vWorld) > uClip.w) discard;
  gl_FragColor = vec4(1.0);
}`;

// The faces of a cut: lit evenly, as they are one plane.
export const capVertex = /* glsl */ `${common}${passing}
attribute float body, value;
varying vec3 vWorld;
varying float vValue;
flat varying float vBody;
void main() {
  vWorld = position; vValue = value; vBody = body;
  gl_Position = elsewhere(body) ? NOWHERE : projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;
export const capFragment = /* glsl */ `${common}${shading}
uniform vec3 uNormal;
varying vec3 vWorld;
varying float vValue;
flat varying float vBody;
void main() {
  vec3 n = (viewMatrix * vec4(uNormal, 0.0)).xyz;
  float shade = 0.75 + 0.25 * lit(n.z < 0.0 ? -n : n, vWorld, 1.0);
  gl_FragColor = vec4(surfaceColour(vBody, vValue, shade, 0.0), 1.0);
}`;

// Lines of the mesh: dark partner of the colour, or ink over fields.
export const edgeVertex = /* glsl */ `${common}${passing}
attribute float body, mark;
varying vec3 vWorld;
flat varying float vBody;
varying float vMark;
void main() {
  vWorld = position; vBody = body; vMark = mark;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  gl_Position.z -= 2e-5 * gl_Position.w;
  if (bodyRow(body, 0).a < 0.005) gl_Position = NOWHERE;
}`;
export const edgeFragment = /* glsl */ `${common}${shading}
uniform float uOpacity;
varying vec3 vWorld;
flat varying float vBody;
varying float vMark;
void main() {
  if (cut(vWorld)) discard;
  vec4 edge = bodyRow(vBody, 1);
  bool field = uByField > 0.5 && edge.a < 0.5;
  vec3 colour = field ? vec3(0.04, 0.06, 0.09) : 0.82 * edge.rgb;
  gl_FragColor = vec4(marked(colour, vMark, 0.85), field ? 0.6 * uOpacity : uOpacity);
}`;

// ---- ambient occlusion: light.js

export const screenVertex = /* glsl */ `
varying vec2 vAt;
void main() {
  vAt = 0.5 * position.xy + 0.5;
  gl_Position = vec4(position.xy, 0.0, 1.0);
}`;
const screenHead = /* glsl */ `
uniform highp sampler2D uDepths;
uniform mat4 uBack; // from the screen to the camera
uniform vec2 uSize;
varying vec2 vAt;
vec3 seenAt(vec2 at) {
  vec4 p = uBack * vec4(2.0 * vec3(at, texture2D(uDepths, at).r) - 1.0, 1.0);
  return p.xyz / p.w;
}`;
export const ambientFragment = /* glsl */ `${screenHead}
uniform vec2 uReach;
uniform float uFlat, uTurns;
// The smaller of the differences to both neighbours: across an edge in depth the other one is none.
vec3 along(vec3 p, vec2 step) {
  vec3 a = seenAt(vAt + step) - p, b = p - seenAt(vAt - step);
  return abs(a.z) < abs(b.z) ? a : b;
}
void main() {
  const float COUNT = 12.0;
  if (texture2D(uDepths, vAt).r >= 1.0) { gl_FragColor = vec4(1.0); return; }
  vec3 p = seenAt(vAt);
  vec3 n = normalize(cross(along(p, vec2(1.0 / uSize.x, 0.0)), along(p, vec2(0.0, 1.0 / uSize.y))));
  float pixels = min(90.0, uFlat > 0.5 ? uReach.y : uReach.y / -p.z);
  float start = 6.2832 * fract(52.9829 * fract(dot(gl_FragCoord.xy, vec2(0.06711, 0.00584))));
  float sum = 0.0;
  for (float i = 0.0; i < COUNT; ++i) {
    float part = (i + 0.5) / COUNT, angle = start + 6.2832 * uTurns * part;
    vec3 v = seenAt(vAt + max(1.5, part * pixels) * vec2(cos(angle), sin(angle)) / uSize) - p;
    float square = dot(v, v), fall = max(0.0, 1.0 - square / (uReach.x * uReach.x));
    sum += fall * max(0.0, dot(v, n) * inversesqrt(square + 1e-12 * p.z * p.z) - 0.08);
  }
  gl_FragColor = vec4(vec3(clamp(1.0 - 1.9 * sum / COUNT, 0.0, 1.0)), 1.0);
}`;
// Over 4 x 4 pixels, the period of the dither, as far as depths agree.
export const smoothFragment = /* glsl */ `${screenHead}
uniform sampler2D uRough;
void main() {
  float depth = seenAt(vAt).z, sum = 0.0, weights = 0.0;
  for (float y = -2.0; y < 2.5; ++y)
    for (float x = -2.0; x < 2.5; ++x) {
      vec2 at = vAt + vec2(x, y) / uSize;
      float weight = max(1e-3, 1.0 - 25.0 * abs(seenAt(at).z - depth) / max(abs(depth), 1e-9));
      sum += weight * texture2D(uRough, at).r;
      weights += weight;
    }
  gl_FragColor = vec4(vec3(sum / weights), 1.0);
}`;

// ---- points and segments with thickness

const thickHead = /* glsl */ `${common}${passing}
attribute vec4 size; // radius [m], smallest radius [px], 1: the rim of a sheet, number of the strand
attribute float body, mark;
uniform highp sampler2D uPlaces; // of each vertex: position, value
varying vec3 vWorld, vNormal;
varying float vValue, vMark, vShade;
flat varying float vBody;
vec4 placeOf(float vertex) {
  int v = int(vertex + 0.5);
  return texelFetch(uPlaces, ivec2(v % 1024, v / 1024), 0);
}
float pixelAt(vec3 centre) { return uPixel.x - uPixel.y * (modelViewMatrix * vec4(centre, 1.0)).z; }
void leave(vec3 p, vec3 n, float pixels) {
  vWorld = p; vMark = mark; vBody = body;
  vNormal = mat3(modelViewMatrix) * n;
  // Strands too thin to show their shape differ a little; rims are darker than their sheet.
  vShade = (1.0 - 0.3 * size.w * (1.0 - smoothstep(1.0, 2.5, pixels))) * (1.0 - 0.35 * size.z);
  gl_Position = elsewhere(body) ? NOWHERE : projectionMatrix * modelViewMatrix * vec4(p, 1.0);
}`;
export const ballVertex = /* glsl */ `${thickHead}
attribute float vertices;
void main() {
  vec4 centre = placeOf(vertices);
  float pixel = pixelAt(centre.xyz);
  vValue = centre.w;
  leave(centre.xyz + position * max(size.x, size.y * pixel), position, size.x / pixel);
}`;
// The half of a tube that is seen. Rings at joints lie across the direction of the thread there, so that
// both tubes share them; at kinks in the plane between both, each tube with its own normals.
export const tubeVertex = /* glsl */ `${thickHead}
attribute vec4 vertices; // before, from, to, after
void main() {
  bool second = position.y > 0.5;
  vec4 from = placeOf(vertices.y), to = placeOf(vertices.z), on = second ? to : from;
  vec3 own = (to.xyz - from.xyz) / max(length(to.xyz - from.xyz), 1e-20);
  float next = second ? vertices.w : vertices.x;
  vec3 other = own, along = own, flat_ = own;
  if (next > -0.5) {
    vec3 far = placeOf(next).xyz;
    other = second ? far - on.xyz : on.xyz - far;
    other /= max(length(other), 1e-20);
    if (dot(own, other) > 0.6) along = normalize(own + other);
    else if (dot(own, other) > -0.7) flat_ = normalize(own + other);
  }
  vec4 eye = inverse(modelViewMatrix) * vec4(0.0, 0.0, 0.0, 1.0);
  vec3 back = vec3(modelViewMatrix[0][2], modelViewMatrix[1][2], modelViewMatrix[2][2]);
  vec3 view = uPixel.y > 0.0 ? normalize(eye.xyz - on.xyz) : back;
  vec3 middle = uPixel.y > 0.0 ? normalize(eye.xyz - from.xyz) : back;
  vec3 x = cross(along, view);
  vec3 straight = cross(own, middle);
  // Threads that point at the viewer: any direction across will do.
  if (length(x) < 1e-3) x = cross(along, abs(along.x) < 0.8 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0));
  x = normalize(x);
  vec3 up = cross(x, along);
  if (dot(up, view) < 0.0) up = -up;
  if (dot(x, straight) < 0.0) x = -x;
  float angle = 3.14159265 * position.x;
  vec3 n = cos(angle) * x + sin(angle) * up;
  float pixel = pixelAt(on.xyz);
  vec3 out_ = n * max(size.x, size.y * pixel);
  out_ -= own * (dot(out_, flat_) / dot(own, flat_)); // onto the plane of a kink; else nothing
  if (flat_ == own) out_ = n * max(size.x, size.y * pixel);
  vValue = on.w;
  leave(on.xyz + out_, n, size.x / pixel);
}`;
export const thickFragment = /* glsl */ `${common}${shading}
varying vec3 vWorld, vNormal;
varying float vValue, vMark, vShade;
flat varying float vBody;
void main() {
  if (cut(vWorld)) discard;
  float shade = uPlane > 0.5 ? 0.35 : vShade * lit(normalize(vNormal), vWorld, 1.0);
  gl_FragColor = vec4(marked(surfaceColour(vBody, vValue, shade, 0.0), vMark, markStrength()), bodyRow(vBody, 0).a);
}`;

// ---- ground and grid: a square in the plane of uAcross and uAlong, fading with distance

export const floorVertex = /* glsl */ `
uniform vec3 uOrigin, uAcross, uAlong;
uniform float uSize;
varying vec2 vAt;
varying vec3 vWorld;
void main() {
  vAt = position.xy * uSize;
  vWorld = uOrigin + vAt.x * uAcross + vAt.y * uAlong;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(vWorld, 1.0);
}`;
export const floorFragment = /* glsl */ `${common}${shading}
uniform vec3 uNormal;
uniform float uDarkness;
varying vec3 vWorld;
uniform float uSize, uSpacing, uFaceOpacity, uLineOpacity;
uniform vec2 uShift;
uniform vec3 uFace, uLine;
varying vec2 vAt;
float lines(float spacing) {
  vec2 at = (vAt + uShift) / spacing;
  vec2 width = max(fwidth(at), 1e-9);
  vec2 near = abs(fract(at - 0.5) - 0.5) / width;
  float crowded = 1.0 - smoothstep(0.15, 0.5, max(width.x, width.y));
  return crowded * (1.0 - min(1.0, min(near.x, near.y)));
}
void main() {
  float fade = 1.0 - smoothstep(0.25, 1.0, length(vAt) / uSize);
  float line = max(0.55 * lines(uSpacing), lines(5.0 * uSpacing)) * uLineOpacity;
  float alpha = fade * (line + uFaceOpacity * (1.0 - line));
  if (alpha < 0.004) discard;
  vec3 colour = mix(uFace, uLine, line / max(line + uFaceOpacity * (1.0 - line), 1e-6));
  if (uFaceOpacity > 0.5) {
    float dark = dot(uNormal, uKey) > 0.0 ? 1.0 - lightAt(vWorld, uNormal) : 0.0;
    colour *= (1.0 - uDarkness * dark) * (0.5 + 0.5 * ambientHere());
  }
  gl_FragColor = vec4(colour, alpha);
}`;

// A half-plane: hatched below its line, in pixels of the screen.
export const hatchFragment = /* glsl */ `
uniform float uSize;
uniform vec3 uFace, uLine;
uniform vec2 uPixel;
varying vec2 vAt;
void main() {
  float deep = -vAt.y / max(uPixel.x, 1e-20);
  if (deep < 0.0) discard;
  float wave = abs(fract((gl_FragCoord.x + gl_FragCoord.y) / 11.0) - 0.5) * 11.0;
  float hatch = 0.5 * (1.0 - smoothstep(0.4, 1.3, wave));
  float border = 1.0 - smoothstep(1.2, 2.2, deep);
  gl_FragColor = vec4(mix(uFace, uLine, max(hatch, border)), 1.0);
}`;

// ---- round marks of constant size on the screen; lines with a colour per end

export const dotVertex = /* glsl */ `
attribute float size;
attribute vec4 tint;
uniform float uRatio;
varying vec4 vTint;
varying float vSize;
void main() {
  vTint = tint;
  vSize = size * uRatio;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  gl_PointSize = vSize;
}`;
export const dotFragment = /* glsl */ `
uniform vec3 uRim;
varying vec4 vTint;
varying float vSize;
void main() {
  float r = length(gl_PointCoord - 0.5) * vSize;
  float outside = 0.5 * vSize - 0.5;
  if (r > outside + 0.5) discard;
  float rim = smoothstep(outside - 2.2, outside - 1.2, r);
  gl_FragColor = vec4(mix(vTint.rgb, uRim, 0.85 * rim), vTint.a * (1.0 - smoothstep(outside - 0.5, outside + 0.5, r)));
}`;
export const lineVertex = /* glsl */ `
attribute vec4 tint;
varying vec4 vTint;
void main() {
  vTint = tint;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;
export const lineFragment = /* glsl */ `
varying vec4 vTint;
void main() { gl_FragColor = vTint; }`;
