// Building and finding elements.
import { glyph } from './icons.js';

export const find = (id) => document.getElementById(id);

// make('button', {class: 'small', onclick: f}, 'text', child)
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== undefined && value !== null) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

export function setIcon(button, name) {
  if (button.dataset.shown === name) return;
  button.dataset.shown = name;
  button.replaceChildren(glyph(name));
}

// The filled part of a range input.
export function fillTrack(input) {
  const part = (100 * (input.value - input.min)) / Math.max(1e-12, input.max - input.min);
  input.style.setProperty('--part', `${part}%`);
}

// A section of the panel that opens and closes; it remembers which.
export function section(panel, key, title, open = true) {
  const body = make('div', { class: 'body' });
  const note = make('small');
  const known = recall(`open.${key}`);
  const details = make(
    'details',
    { open: known === null ? open : known === '1' },
    make('summary', {}, title, ' ', note),
    body,
  );
  details.addEventListener('toggle', () => keep(`open.${key}`, details.open ? '1' : '0'));
  panel.append(details);
  return { details, body, note };
}

// Small things kept in the browser; without storage (private windows) they are simply not kept.
export function recall(key) {
  try {
    return localStorage.getItem(`pliant.${key}`);
  } catch {
    return null;
  }
}
export function keep(key, value) {
  try {
    localStorage.setItem(`pliant.${key}`, value);
  } catch {
    // not kept
  }
}

// Hands a file to the person at the browser.
export function download(blob, name) {
  const url = URL.createObjectURL(blob);
  const anchor = make('a', { href: url, download: name });
  document.body.append(anchor);
  anchor.click();
  anchor.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

// At most one call per `gap` milliseconds, the last one always.
export function throttle(gap, call) {
  let timer = 0;
  let latest = null;
  return (...values) => {
    latest = values;
    if (timer) return;
    call(...latest);
    latest = null;
    timer = setTimeout(function later() {
      timer = 0;
      if (latest) {
        call(...latest);
        latest = null;
        timer = setTimeout(later, gap);
      }
    }, gap);
  };
}
