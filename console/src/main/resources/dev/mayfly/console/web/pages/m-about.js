import { html, nothing } from 'lit';
import { Loader, PageElement } from '../base.js';
import { containerDefinition, health, mongo } from '../commands.js';
import { bytes, count, duration, toDate } from '../format.js';
import { isContainer, rulesInShort } from '../texts.js';
import '../elements/m-copy.js';
import '../elements/m-countdown.js';

/** Options, sizes and definition of a collection. */
class About extends PageElement {
  static properties = { collection: { attribute: false }, writable: { type: Boolean } };

  constructor() {
    super();
    this.health = new Loader(this, (signal) => health(this.collection, signal), 30000);
    this.definition = new Loader(this, () => this.read());
  }

  connectedCallback() {
    super.connectedCallback();
    this.health.run();
    this.definition.run();
  }

  async read() {
    if (isContainer(this.collection)) {
      return containerDefinition(this.collection);
    }
    const { documents } = await mongo(this.collection.database, { listCollections: 1,
      filter: { name: this.collection.collection } });
    return documents.length ? JSON.parse(documents[0]) : {};
  }

  render() {
    const { collection } = this;
    const state = this.health.value;
    return html`<div class="columns"><section class="card"><h2>Size</h2>${this.health.render()}
        <dl class="facts"><dt>Documents</dt><dd class="nums">${count(collection.documents)}</dd>
          <dt>Bytes of documents</dt><dd class="nums">${bytes(collection.bytes)}</dd>
          <dt>Bytes on disk</dt><dd class="nums">${bytes(collection.bytesOnDisk ?? 0)}</dd>
          <dt>Time to live</dt><dd>${rulesInShort(collection.rules)}</dd>
          <dt>Grace</dt><dd>${collection.rules.graceSeconds ?
            duration(collection.rules.graceSeconds)
            : 'none'}</dd>
          ${state ? html`<dt>Expired, not swept</dt><dd
            class="nums">${count(state.backlog?.documents
            ?? 0)}</dd>
          <dt>Changes kept since</dt><dd>${state.feedKeptSince ? html`<m-countdown exact
            .at=${toDate(state.feedKeptSince)}></m-countdown>` : 'no changes yet'}</dd>` : nothing}
        </dl></section>
      <section class="card"><h2>Definition</h2>${this.definition.render()}
        ${this.definition.value ? html`<m-copy name="definition"
          text=${JSON.stringify(this.definition.value, null, 2)}></m-copy>` : nothing}</section>
            </div>`;
  }
}

customElements.define('m-about', About);
