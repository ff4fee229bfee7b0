import { html, nothing } from 'lit';
import { PageElement } from '../base.js';
import { bytes, count } from '../format.js';
import { toCollection } from '../router.js';
import { databaseName, isContainer, rulesInShort } from '../texts.js';

const VIRTUAL_FROM = 200;
const ROW_HEIGHT = 52;

/** Databases and collections of both doors. Above 200 entries only those in sight are rendered. */
class Tree extends PageElement {
  static properties = {
    collections: { attribute: false },
    place: { attribute: false },
    part: { type: String },
    writable: { type: Boolean },
    filter: { state: true },
    first: { state: true },
  };

  constructor() {
    super();
    this.collections = [];
    this.filter = '';
    this.first = 0;
  }

  entries() {
    const words = this.filter.toLowerCase();
    const entries = [];
    let last;
    for (const each of this.collections) {
      const name = `${databaseName(each.database)}.${each.collection}`;
      if (name.toLowerCase().includes(words)) {
        if (each.database !== last) {
          entries.push({ database: each.database, container: isContainer(each) });
          last = each.database;
        }
        entries.push(each);
      }
    }
    return entries;
  }

  scrolled(event) {
    this.first = Math.max(0, Math.floor(event.target.scrollTop / ROW_HEIGHT) - 5);
  }

  render() {
    const entries = this.entries();
    const virtual = entries.length > VIRTUAL_FROM;
    const shown = virtual ? entries.slice(this.first, this.first + 40) : entries;
    this.above = virtual ? this.first * ROW_HEIGHT : 0;
    this.below = virtual ? Math.max(0, entries.length - this.first - 40) * ROW_HEIGHT : 0;
    return html`<div class="head">
        <input class="grow" type="search" placeholder="Filter collections"
          aria-label="Filter collections" .value=${this.filter}
          @input=${(event) => { this.filter = event.target.value; }}>
        ${this.writable ? html`<button @click=${() => this.fire('create')}>New</button>` : nothing}
      </div>
      <div class="tree" @scroll=${this.scrolled}>
        <div class="above"></div>
        <ul>${shown.map((each) => html`<li>${each.collection === undefined
          ? this.databaseRow(each) : this.row(each)}</li>`)}</ul>
        ${entries.length === 0 ? html`<p class="muted small empty">${this.filter
          ? 'No collection matches.' : 'No collections yet.'}</p>` : nothing}
        <div class="below"></div>
      </div>`;
  }

  databaseRow(each) {
    return html`<div class="database"><span class="badge ${each.container ? 'C' : 'M'}"
      title=${each.container ? 'Cosmos DB' : 'MongoDB'}>${each.container ? 'C' : 'M'}</span>
      <span class="name">${databaseName(each.database)}</span></div>`;
  }

  row(each) {
    const current = this.place?.database === each.database
      && this.place?.collection === each.collection;
    return html`<a href=${toCollection(each.database, each.collection, this.part)}
        aria-current=${current ? 'page' : nothing}>
      <span class="name" title=${each.collection}>${each.collection}</span>
      <span class="small muted nums">${count(each.documents)}</span>
      <span class="rule"><span class="name">${rulesInShort(each.rules)}</span>
        <span class="nums">${bytes(each.bytes)}</span></span>
    </a>`;
  }

  updated() {
    this.querySelector('.above').style.height = `${this.above}px`;
    this.querySelector('.below').style.height = `${this.below}px`;
  }
}

customElements.define('m-tree', Tree);
