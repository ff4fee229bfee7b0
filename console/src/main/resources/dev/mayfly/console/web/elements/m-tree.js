import { html, nothing } from 'lit';
import { PageElement } from '../base.js';
import { bytes, count } from '../format.js';
import { toCollection } from '../router.js';
import { databaseName, isContainer, kindOf, rulesInShort } from '../texts.js';

const VIRTUAL_FROM = 200;
const DATABASE_HEIGHT = 34;
const ROW_HEIGHT = 50;
const AROUND = 300;
const PAGE_ROWS = 10;

/**
 * Databases and collections of both doors. From 200 entries on only those in sight are in the page.
 * Arrows, Home, End and Page keys move from one to the next. Event: `create`.
 */
class Tree extends PageElement {
  static properties = {
    collections: { attribute: false },
    place: { attribute: false },
    part: { type: String },
    writable: { type: Boolean },
    filter: { state: true },
    top: { state: true },
  };

  constructor() {
    super();
    this.filter = '';
    this.top = 0;
  }

  entries() {
    const words = this.filter.trim().toLowerCase();
    const entries = [];
    let last;
    let y = 0;
    for (const each of this.collections ?? []) {
      const name = `${databaseName(each.database)}.${each.collection}`;
      if (name.toLowerCase().includes(words)) {
        if (each.database !== last) {
          entries.push({ y, database: each.database, container: isContainer(each) });
          y += DATABASE_HEIGHT;
          last = each.database;
        }
        entries.push({ y, row: each, index: entries.length });
        y += ROW_HEIGHT;
      }
    }
    this.height = y;
    return entries;
  }

  box() {
    return this.querySelector('.tree');
  }

  pressed(event) {
    const entries = this.entries().filter((each) => each.row);
    const from = entries.findIndex((each) => String(each.index) === event.target.closest('a')
      ?.dataset.index);
    const to = { ArrowDown: from + 1, ArrowUp: from - 1, Home: 0, End: entries.length - 1,
      PageDown: from + PAGE_ROWS, PageUp: from - PAGE_ROWS }[event.key];
    const inFilter = event.target.matches('input');
    if (to === undefined || entries.length === 0 || (inFilter && event.key !== 'ArrowDown')) {
      return;
    }
    event.preventDefault();
    if (to < 0 && event.key === 'ArrowUp') {
      this.querySelector('input').focus();
    } else {
      this.focusOn(entries[Math.max(0, Math.min(entries.length - 1, to))]);
    }
  }

  async focusOn(entry) {
    const box = this.box();
    if (entry.y < box.scrollTop) {
      box.scrollTop = entry.y - DATABASE_HEIGHT;
    } else if (entry.y + ROW_HEIGHT > box.scrollTop + box.clientHeight) {
      box.scrollTop = entry.y + ROW_HEIGHT - box.clientHeight;
    }
    this.top = box.scrollTop;
    await this.updateComplete;
    this.querySelector(`a[data-index="${entry.index}"]`)?.focus({ preventScroll: true });
  }

  typed(event) {
    this.filter = event.target.value;
    this.box().scrollTop = 0;
    this.top = 0;
  }

  render() {
    const entries = this.entries();
    const virtual = entries.length >= VIRTUAL_FROM;
    const tall = this.box()?.clientHeight ?? 800;
    const shown = virtual ? entries.filter((each) => each.y > this.top - AROUND
      && each.y < this.top + tall + AROUND) : entries;
    this.above = shown[0]?.y ?? 0;
    return html`<div class="head" @keydown=${this.pressed}>
        <input class="grow" type="search" placeholder="Filter collections"
          aria-label="Filter collections" .value=${this.filter} @input=${this.typed}>
        ${this.writable ? html`<button @click=${() => this.fire('create')}>New…</button>`
          : nothing}
      </div>
      <div class="tree" @keydown=${this.pressed}
        @scroll=${(event) => { this.top = virtual ? event.target.scrollTop : 0; }}>
        <div class="whole"><ul>${shown.map((each) => (each.row ? this.row(each)
          : this.databaseRow(each)))}</ul></div>
        ${entries.length === 0 && this.collections ? html`<p class="muted small empty">${this.filter
          ? 'No collection has this in its name.' : 'No collections yet.'}</p>` : nothing}
      </div>`;
  }

  databaseRow({ container, database }) {
    const door = container ? 'Cosmos DB' : 'MongoDB';
    return html`<li class="database"><span class="badge ${container ? 'C' : 'M'}"
      title=${door}><span aria-hidden="true">${container ? 'C' : 'M'}</span><span
        class="unseen">${door}</span></span>
      <span class="name" title=${databaseName(database)}>${databaseName(database)}</span></li>`;
  }

  row({ row, index }) {
    const current = this.place?.database === row.database
      && this.place?.collection === row.collection;
    const rules = rulesInShort(row.rules);
    return html`<li><a href=${toCollection(row.database, row.collection, this.part)}
        data-index=${index} aria-current=${current ? 'page' : nothing}
        title="${kindOf(row)} ${row.collection}; time to live: ${rules}">
      <span class="name">${row.collection}</span>
      <span class="small muted nums">${count(row.documents)}<span class="unseen">
        documents,</span></span>
      <span class="rule"><span class="name"><span class="unseen">time to live</span>
          ${rules}</span>
        <span class="nums">${bytes(row.bytes)}</span></span>
    </a></li>`;
  }

  /** Positions are set here: the content policy forbids style attributes in templates. */
  updated() {
    this.querySelector('.whole').style.height = `${this.height}px`;
    this.querySelector('ul').style.top = `${this.above}px`;
  }
}

customElements.define('m-tree', Tree);
