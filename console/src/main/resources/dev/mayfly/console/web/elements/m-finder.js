import { html, nothing } from 'lit';
import { PageElement } from '../base.js';
import { COLLECTION_PAGES, ROOT, SERVER_PAGES, go, toCollection } from '../router.js';
import { databaseName, isContainer } from '../texts.js';

const MOST = 50;

/** "Go to anything": collections and pages, filtered while typing. */
class Finder extends PageElement {
  static properties = { targets: { attribute: false }, words: { state: true },
    active: { state: true } };

  constructor() {
    super();
    this.words = '';
    this.active = 0;
  }

  firstUpdated() {
    this.querySelector('dialog').showModal();
  }

  found() {
    const words = this.words.toLowerCase().split(/\s+/).filter(Boolean);
    return this.targets.filter((target) =>
      words.every((word) => target.search.includes(word))).slice(0, MOST);
  }

  pressed(event) {
    const found = this.found();
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      this.active = Math.max(0, Math.min(found.length - 1, this.active + step));
      this.updateComplete.then(() => this.querySelector('[aria-selected="true"]')
        ?.scrollIntoView({ block: 'nearest' }));
    } else if (event.key === 'Enter' && found[this.active]) {
      event.preventDefault();
      this.choose(found[this.active]);
    }
  }

  choose(target) {
    this.querySelector('dialog').close();
    go(target.address);
  }

  render() {
    const found = this.found();
    return html`<dialog aria-label="Go to" @close=${() => this.remove()}><div class="stack tight">
      <div class="field wide"><label for="finder-words">Go to</label>
        <input id="finder-words" autocomplete="off" role="combobox" aria-expanded="true"
          aria-controls="finder-list" placeholder="Name of a collection or page"
          aria-activedescendant=${found[this.active] ? `finder-${this.active}` : nothing}
          @input=${(event) => { this.words = event.target.value; this.active = 0; }}
          @keydown=${this.pressed}></div>
      <div class="finder-list" id="finder-list" role="listbox" aria-label="Places">
        ${found.map((target, i) => html`<div role="option" id="finder-${i}"
          aria-selected=${i === this.active ? 'true' : 'false'} @click=${() => this.choose(target)}>
          ${target.badge ? html`<span class="badge ${target.badge}">${target.badge}</span>` :
            nothing}
          <span class="grow wrap">${target.name}</span></div>`)}
      </div>
      ${found.length === 0 ? html`<p class="muted">Nothing has this name.</p>` : nothing}
    </div></dialog>`;
  }
}

customElements.define('m-finder', Finder);

/** Opens the finder. @param {Array<Record<string, any>>} collections */
export function openFinder(collections) {
  if (document.querySelector('m-finder')) {
    return;
  }
  const target = (name, address, badge) => ({ name, address, badge, search: name.toLowerCase() });
  const finder = document.createElement('m-finder');
  finder.targets = [
    target('Overview', ROOT), target('Connect', `${ROOT}connect`),
    target('Changes of all collections', `${ROOT}changes`),
    ...SERVER_PAGES.map(([part, name]) => target(`Server: ${name}`, `${ROOT}server/${part}`)),
    ...collections.flatMap((each) => COLLECTION_PAGES.map(([part, label]) => target(
      `${databaseName(each.database)}.${each.collection}: ${label}`,
      toCollection(each.database, each.collection, part), isContainer(each) ? 'C' : 'M'))),
  ];
  document.body.append(finder);
}
