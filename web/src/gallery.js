// All scenes that come with Pliant, as cards. /gallery.json: {scenes: [{name, title, description,
// dimension, thumbnail}]}, `thumbnail` an address on the same server or null. `open` sends the name.
import { find, make } from './dom.js';
import { glyph } from './icons.js';

export class Gallery {
  constructor(open) {
    this.open = open;
    this.root = find('gallery');
    this.scenes = null;
  }

  get shown() {
    return !this.root.hidden;
  }

  async show() {
    this.root.hidden = false;
    for (const id of ['stage', 'panel', 'transport']) find(id).inert = true;
    if (!this.scenes) await this.load();
  }

  hide() {
    this.root.hidden = true;
    for (const id of ['stage', 'panel', 'transport']) find(id).inert = false;
  }

  async load() {
    try {
      const answer = await fetch(`gallery.json${location.search}`);
      if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
      this.scenes = (await answer.json()).scenes;
      this.build();
    } catch (error) {
      this.root.replaceChildren(
        make('h2', {}, 'Scenes'),
        make('p', { class: 'lead' }, `The list of scenes could not be loaded: ${error.message}.`),
        make('button', { onclick: () => this.load() }, 'Try again'),
      );
    }
  }

  build() {
    const cards = make('ul', { class: 'cards' }, ...this.scenes.map((scene) => this.card(scene)));
    const search = make('input', { type: 'search', placeholder: 'Search', 'aria-label': 'Search scenes' });
    search.addEventListener('input', () => {
      const words = search.value.toLowerCase().split(/\s+/);
      for (const item of cards.children) item.hidden = !words.every((w) => item.dataset.words.includes(w));
    });
    this.root.replaceChildren(
      make('h2', {}, 'Scenes'),
      make('p', { class: 'lead' }, 'Choose a scene to simulate.'),
      search,
      cards,
    );
  }

  card(scene) {
    const title = scene.title || scene.name;
    const dimension = scene.dimension ? `${scene.dimension}D` : '';
    const picture = scene.thumbnail
      ? make('img', { src: `${encodeURI(scene.thumbnail)}${location.search}`, alt: '', loading: 'lazy' })
      : glyph('cube');
    const frame = make('span', { class: 'thumb' }, picture);
    picture.addEventListener('error', () => frame.replaceChildren(glyph('cube')));
    return make(
      'li',
      { 'data-words': `${title} ${scene.name} ${scene.description ?? ''} ${dimension}`.toLowerCase() },
      make(
        'button',
        { class: 'card', 'data-scene': scene.name, onclick: () => this.open(scene.name) },
        frame,
        make(
          'span',
          { class: 'text' },
          make('strong', {}, title, make('small', {}, dimension)),
          make('p', {}, scene.description ?? ''),
        ),
      ),
    );
  }
}
