import { html, nothing } from 'lit';
import { Loader, PageElement } from '../base.js';
import { containerDefinition, cosmos, health, mongo } from '../commands.js';
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
      const definition = await containerDefinition(this.collection);
      return { whole: definition, facts: await containerFacts(definition) };
    }
    const { documents } = await mongo(this.collection.database, { listCollections: 1,
      filter: { name: this.collection.collection } });
    const whole = documents.length ? JSON.parse(documents[0]) : {};
    return { whole, facts: collectionFacts(whole) };
  }

  render() {
    const { value } = this.definition;
    return html`<div class="columns"><div class="stack">${this.sizes()}
        ${value ? html`<section class="card"><h2>Options</h2><dl class="facts">
          ${value.facts.map(([name, fact]) => html`<dt>${name}</dt><dd>${fact}</dd>`)}</dl>
          ${value.whole.options?.validator ? html`<h3>Validator</h3><m-copy name="validator"
            text=${JSON.stringify(value.whole.options.validator, null, 2)}></m-copy>` : nothing}
          </section>` : nothing}</div>
      <section class="card"><h2>Definition</h2>${this.definition.render()}
        ${value ? html`<m-copy name="definition"
          text=${JSON.stringify(value.whole, null, 2)}></m-copy>` : nothing}</section></div>`;
  }

  sizes() {
    const { collection } = this;
    const state = this.health.value;
    const { graceSeconds } = collection.rules;
    return html`<section class="card"><h2>Size</h2>${this.health.render()}
      <dl class="facts"><dt>Documents</dt><dd class="nums">${count(collection.documents)}</dd>
        <dt>Bytes of documents</dt><dd class="nums">${bytes(collection.bytes)}</dd>
        <dt>Bytes on disk</dt><dd class="nums">${bytes(collection.bytesOnDisk ?? 0)}</dd>
        <dt>Time to live</dt><dd>${rulesInShort(collection.rules)}</dd>
        <dt>Grace</dt><dd>${graceSeconds ? duration(graceSeconds) : 'none'}</dd>
        ${state ? html`<dt>Expired, not swept</dt>
          <dd class="nums">${count(state.backlog?.documents ?? 0)}</dd>
          <dt>Changes kept since</dt><dd>${state.feedKeptSince ? html`<m-countdown exact
            .at=${toDate(state.feedKeptSince)}></m-countdown>` : 'no changes yet'}</dd>` : nothing}
      </dl></section>`;
  }
}

async function containerFacts(definition) {
  const { partitionKey, indexingPolicy, uniqueKeyPolicy } = definition;
  const unique = (uniqueKeyPolicy?.uniqueKeys ?? []).map(({ paths }) => paths.join(', '));
  return [['Partition key', (partitionKey?.paths ?? []).join(', ') || 'none'],
    ['Indexing', indexingPolicy?.indexingMode ?? 'consistent'],
    ['Unique keys', unique.join('; ') || 'none'],
    ['Throughput', await throughput(definition._rid).catch(() => 'unknown')]];
}

/** Throughput of a container by its offer. An offer that no client has set limits nothing. */
async function throughput(rid) {
  const { body } = await cosmos('GET', '/offers');
  const offer = JSON.parse(body).Offers.find((each) => each.offerResourceId === rid);
  if (!offer) {
    return 'of the database, or not limited';
  }
  const { offerThroughput, offerAutopilotSettings } = offer.content;
  return offerAutopilotSettings ? `up to ${count(offerAutopilotSettings.maxThroughput)} RU/s`
    : `${count(offerThroughput)} RU/s; not limited if the container was created without throughput`;
}

function collectionFacts({ type, options = {} }) {
  const facts = [['Type', type ?? 'collection'],
    ['Validation', options.validator ? `${options.validationLevel ?? 'strict'}, ${
      options.validationAction ?? 'error'}` : 'none']];
  if (options.capped) {
    facts.push(['Capped', [options.size && bytes(number(options.size)),
      options.max && `${count(number(options.max))} documents`].filter(Boolean).join(', ')]);
  }
  if (options.collation) {
    facts.push(['Collation', options.collation.locale]);
  }
  facts.push(['Images before changes', options.changeStreamPreAndPostImages?.enabled ? 'kept'
    : 'not kept for change streams']);
  return facts;
}

function number(value) {
  return Number(value?.$numberLong ?? value?.$numberInt ?? value);
}

customElements.define('m-about', About);
