// Messages over the picture: lasting ones by name (connection, failure), short ones that fade.
import { find, make } from './dom.js';

const shown = new Map();

// `actions`: [[label, function]]. Null text takes the notice away.
export function notice(name, kind, title, text = '', actions = []) {
  const old = shown.get(name);
  const key = `${kind}|${title}|${text}`;
  if (old?.key === key) return;
  if (old && title !== null && old.kind === kind && old.title === title) {
    old.detail.textContent = text; // only the words change: focus on the buttons stays
    old.key = key;
    return;
  }
  old?.element.remove();
  shown.delete(name);
  if (title === null) return;
  const detail = make('span', {}, text);
  const buttons = actions.map(([label, run]) => make('button', { class: 'small', onclick: run }, label));
  const element = make(
    'div',
    { class: `notice ${kind}`, role: kind === 'danger' ? 'alert' : 'status', 'data-name': name },
    make('div', {}, make('strong', {}, title), detail),
    buttons.length > 0 ? make('div', { class: 'actions' }, ...buttons) : null,
  );
  find('notices').append(element);
  shown.set(name, { element, detail, key, kind, title });
}

export const dismiss = (name) => notice(name, '', null);

let timer = 0;
export function toast(text, seconds = 2.6) {
  const element = find('toast');
  element.textContent = text.charAt(0).toUpperCase() + text.slice(1);
  element.classList.add('shown');
  clearTimeout(timer);
  timer = setTimeout(() => element.classList.remove('shown'), 1000 * seconds);
}
