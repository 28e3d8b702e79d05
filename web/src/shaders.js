// GLSL of everything that is drawn. Colours are display values, no conversion; the shade of a face goes
// from the body's dark colour to its light one, by the light of the pictures (src/render/raster.h).

// Uniforms that all materials share: one object each, so that one assignment reaches every material.
export function sharedUniforms() {
  return {
    uClip: { value: [0, 0, 0, 1] }, // points with dot(xyz, p) > w are cut away
    uPixel: { value: [0, 0] }, // size of a pixel [m]: x + y * depth
    uFill: { value: [] }, // vec3 per colour
    uEdge: { value: [] },
    uMap: { value: null },
    uRange: { value: [0, 1] },
    uByField: { value: 0 }, // 1: bodies, 2: obstacles too
    uPlane: { value: 0 }, // 1: a scene in the plane, no shading
    uInk: { value: [0, 0, 0] },
    uSelected: { value: -1 },
  };
}

const common = /* glsl */ `
uniform vec4 uClip;
uniform vec2 uPixel;
uniform vec3 uFill[8];
uniform vec3 uEdge[8];
uniform sampler2D uMap;
uniform vec2 uRange;
uniform float uByField;
uniform float uPlane;
uniform vec3 uInk;
uniform float uSelected;
`;

const shading = /* glsl */ `
bool cut(vec3 world) { return dot(uClip.xyz, world) > uClip.w; }

// Brightness at a normal, times part.
float lit(vec3 n, float part) {
  const vec3 light = vec3(-0.42, 0.69, 0.59);
  float around = max(0.0, (dot(n, light) + 0.4) / 1.4);
  float shade = min(1.0, 0.18 + 0.82 * around);
  return part * shade;
}

vec3 mapped(float value) {
  float t = (value - uRange.x) / max(uRange.y - uRange.x, 1e-30);
  if (!(t >= -1e30 && t <= 1e30)) return vec3(0.55);
  return texture2D(uMap, vec2(clamp(t, 0.002, 0.998), 0.5)).rgb;
}

// lining: how much of the colour of the back of sheets.
vec3 surfaceColour(float body, float tone, float value, float shade, float lining) {
  const vec3 pale = vec3(0.949, 0.937, 0.914);
  int k = int(tone + 0.5);
  vec3 plain = mix(mix(uEdge[k], pale, 0.35 * lining), mix(uFill[k], pale, 0.5 * lining), shade);
  vec3 field = mapped(value) * (0.6 + 0.42 * shade);
  vec3 colour = uByField > (k == 7 ? 1.5 : 0.5) ? field : plain;
  return abs(body - uSelected) < 0.5 ? mix(colour, vec3(1.0), 0.16) : colour;
}

vec3 marked(vec3 colour, float mark, float strength) {
  return mix(colour, vec3(0.84, 0.1, 0.1), strength * smoothstep(0.25, 0.75, mark));
}
float markStrength() { return uByField > 0.5 ? 0.25 : 0.85; } // the colours of a field stay readable
`;

// A sheet with a thickness has two surfaces, each an instance, on both sides of its triangles. Of others
// the second instance is nothing.
export const surfaceVertex = /* glsl */ `${common}
attribute float body, tone, value, mark, sheet;
attribute vec3 smoothNormal;
varying vec3 vWorld, vView, vNormal;
varying float vValue, vMark;
flat varying float vBody, vTone, vSheet, vSide;
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
  vValue = value; vMark = mark; vBody = body; vTone = tone;
  gl_Position = projectionMatrix * view;
  if (side < 0.0 && !(sheet > 0.0)) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}`;

// vSheet: half of the thickness [m]; below 0 for closed bodies.
export const surfaceFragment = /* glsl */ `${common}${shading}
uniform float uSmooth, uOpacity;
varying vec3 vWorld, vView, vNormal;
varying float vValue, vMark;
flat varying float vBody, vTone, vSheet, vSide;
void main() {
  if (cut(vWorld)) discard;
  bool behind = vSide == 0.0 ? !gl_FrontFacing : vSide < 0.0;
  vec3 n = normalize(cross(dFdx(vView), dFdy(vView)));
  if (uSmooth > 0.5) {
    vec3 even = normalize(vNormal) * (gl_FrontFacing ? 1.0 : -1.0);
    // Creases stay sharp; those of sheets are folds.
    float low = vSheet < 0.0 ? 0.55 : 0.2;
    n = normalize(mix(n, even, smoothstep(low, low + 0.25, dot(n, even))));
  }
  bool lining = behind && vSheet >= 0.0;
  float shade = uPlane > 0.5 ? 0.92 : lit(n, lining ? 0.86 : behind ? 0.75 : 1.0);
  vec3 colour = surfaceColour(vBody, vTone, vValue, shade, lining && uPlane < 0.5 ? 1.0 : 0.0);
  gl_FragColor = vec4(marked(colour, vMark, markStrength()), uOpacity);
}`;

// Lines of the mesh: dark partner of the colour, or ink over fields.
export const edgeVertex = /* glsl */ `${common}
attribute float tone, mark;
varying vec3 vWorld;
flat varying float vTone;
varying float vMark;
void main() {
  vWorld = position; vTone = tone; vMark = mark;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  gl_Position.z -= 2e-5 * gl_Position.w;
}`;
export const edgeFragment = /* glsl */ `${common}${shading}
uniform float uOpacity;
varying vec3 vWorld;
flat varying float vTone;
varying float vMark;
void main() {
  if (cut(vWorld)) discard;
  vec3 colour = uByField > 0.5 ? vec3(0.04, 0.06, 0.09) : 0.82 * uEdge[int(vTone + 0.5)];
  gl_FragColor = vec4(marked(colour, vMark, 0.85), uByField > 0.5 ? 0.7 * uOpacity : uOpacity);
}`;

// Shadow on a half-space: every point goes down along uUp. Those below it throw none.
export const shadowVertex = /* glsl */ `
uniform vec4 uFloor; // normal, offset
uniform vec3 uUp;
varying float vHeight;
void main() {
  vHeight = dot(uFloor.xyz, position) - uFloor.w;
  vec3 down = position - uUp * (vHeight / dot(uUp, uFloor.xyz));
  gl_Position = projectionMatrix * modelViewMatrix * vec4(down, 1.0);
  gl_Position.z -= 1e-5 * gl_Position.w;
}`;
export const shadowFragment = /* glsl */ `
uniform float uDarkness;
varying float vHeight;
void main() {
  if (vHeight < 0.0) discard;
  gl_FragColor = vec4(0.0, 0.02, 0.05, uDarkness);
}`;

// ---- points and segments with thickness

const thickHead = /* glsl */ `${common}
attribute vec4 size; // radius [m], smallest radius [px], 1: the rim of a sheet, number of the strand
attribute float body, tone, mark;
uniform highp sampler2D uPlaces; // of each vertex: position, value
varying vec3 vWorld, vNormal;
varying float vValue, vMark, vShade;
flat varying float vBody, vTone;
vec4 placeOf(float vertex) {
  int v = int(vertex + 0.5);
  return texelFetch(uPlaces, ivec2(v % 1024, v / 1024), 0);
}
float pixelAt(vec3 centre) { return uPixel.x - uPixel.y * (modelViewMatrix * vec4(centre, 1.0)).z; }
void leave(vec3 p, vec3 n, float pixels) {
  vWorld = p; vMark = mark; vBody = body; vTone = tone;
  vNormal = mat3(modelViewMatrix) * n;
  // Strands too thin to show their shape differ a little; rims are darker than their sheet.
  vShade = (1.0 - 0.3 * size.w * (1.0 - smoothstep(1.0, 2.5, pixels))) * (1.0 - 0.35 * size.z);
  gl_Position = projectionMatrix * modelViewMatrix * vec4(p, 1.0);
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
uniform float uOpacity;
varying vec3 vWorld, vNormal;
varying float vValue, vMark, vShade;
flat varying float vBody, vTone;
void main() {
  if (cut(vWorld)) discard;
  float shade = uPlane > 0.5 ? 0.35 : vShade * lit(normalize(vNormal), 1.0);
  gl_FragColor = vec4(marked(surfaceColour(vBody, vTone, vValue, shade, 0.0), vMark, markStrength()), uOpacity);
}`;

// ---- ground and grid: a square in the plane of uAcross and uAlong, fading with distance

export const floorVertex = /* glsl */ `
uniform vec3 uOrigin, uAcross, uAlong;
uniform float uSize;
varying vec2 vAt;
void main() {
  vAt = position.xy * uSize;
  vec3 p = uOrigin + vAt.x * uAcross + vAt.y * uAlong;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(p, 1.0);
}`;
export const floorFragment = /* glsl */ `
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
  gl_FragColor = vec4(mix(uFace, uLine, line / max(line + uFaceOpacity * (1.0 - line), 1e-6)), alpha);
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
