import { html, nothing } from 'lit';
import { Loader, PageElement } from '../base.js';
import { containerDefinition, containerPath, cosmos, health, mongo, raw } from '../commands.js';
import { ask } from '../dialogs.js';
import { count, duration } from '../format.js';
import { say, sayError } from '../messages.js';
import { isContainer } from '../texts.js';
import { createIndex } from '../indexdialog.js';
import { syntaxProblem } from '../mistakes.js';
import '../elements/m-editor.js';

/** Indexes of a collection, or the indexing policy of a container. */
class Indexes extends PageElement {
  static properties = {
    collection: { attribute: false },
    writable: { type: Boolean },
    policy: { state: true },
    problem: { state: true },
  };

  constructor() {
    super();
    this.loader = new Loader(this, () => this.read());
    this.builds = new Loader(this, (signal) => health(this.collection, signal), 5000);
  }

  connectedCallback() {
    super.connectedCallback();
    this.loader.run();
    this.builds.run();
  }

  async read() {
    if (isContainer(this.collection)) {
      const definition = await containerDefinition(this.collection);
      this.policy = JSON.stringify(definition.indexingPolicy, null, 2);
      return definition;
    }
    const { database, collection } = this.collection;
    const { documents } = await mongo(database, { listIndexes: collection });
    const stats = await mongo(database, { aggregate: collection, pipeline: [{ $indexStats: {} }],
      cursor: {} }).catch(() => ({ documents: [] }));
    const uses = new Map(stats.documents.map((text) => JSON.parse(text))
      .map((each) => [each.name, number(each.accesses?.ops)]));
    return documents.map((text) => JSON.parse(text)).map((each) => ({ ...each,
      uses: uses.get(each.name) }));
  }

  async act(work) {
    try {
      if (await work) {
        this.loader.run();
        this.builds.run();
        this.fire('collections-changed');
      }
    } catch (error) {
      sayError(error);
    }
  }

  hide(index) {
    return mongo(this.collection.database, { collMod: this.collection.collection,
      index: { name: index.name, hidden: !index.hidden } });
  }

  drop(index) {
    return ask({ title: `Drop index ${index.name}?`, action: 'Drop', danger: true, word: index.name,
      body: html`<p>Queries that use it become slower.${index.expireAfterSeconds === undefined ? ''
        : ' Its documents will no longer expire by it.'}</p>`,
      act: () => mongo(this.collection.database, { dropIndexes: this.collection.collection,
        index: index.name }) });
  }

  async savePolicy() {
    try {
      const definition = this.loader.value;
      await cosmos('PUT', containerPath(this.collection), {
        headers: { 'if-match': definition._etag },
        body: { ...Object.fromEntries(Object.entries(definition)
          .filter(([name]) => !name.startsWith('_'))), indexingPolicy: raw(this.policy) } });
      say('The indexing policy was changed. The index is being built.');
      this.act(Promise.resolve(true));
    } catch (error) {
      this.problem = { text: error.status === 412 ? 'The container was changed since this page was '
        + 'opened. Nothing was saved. Load the page again, then change the policy.'
        : error.message };
    }
  }

  render() {
    return html`<div class="stack">${this.loader.render()}${this.building()}
      ${this.loader.value === undefined ? nothing
        : isContainer(this.collection) ? this.policyCard() : this.table()}</div>`;
  }

  building() {
    return (this.builds.value?.builds ?? []).map((build) => html`<div class="card"><p>${build.what}:
      ${count(build.records)} of ${count(build.total)} documents</p>
      <progress max="100" .value=${build.percent} aria-label="Building ${build.what}"></progress>
    </div>`);
  }

  table() {
    return html`${this.writable ? html`<div><button class="primary"
        @click=${() => this.act(createIndex(this.collection))}>Create an index…</button></div>`
        : nothing}
      <div class="table-box" tabindex="0" role="region" aria-label="Indexes"><table>
        <thead><tr><th scope="col">Name</th><th scope="col">Keys</th><th scope="col">Options</th>
          <th scope="col" class="nums">Uses</th><th scope="col"><span class="unseen">Actions</span>
            </th>
        </tr></thead>
        <tbody>${this.loader.value.map((index) => html`<tr><th scope="row"
          class="wrap">${index.name}</th>
          <td><code>${JSON.stringify(index.key)}</code></td><td>${options(index)}</td>
          <td class="nums">${index.uses === undefined ? '' : count(index.uses)}</td>
          <td>${this.writable && index.name !== '_id_' && !index.clustered ? html`<div class="row">
            <button class="small" @click=${() => this.act(this.hide(index))}>${index.hidden ? 'Show'
              : 'Hide'}</button>
            <button class="small danger" @click=${() => this.act(this.drop(index))}>Drop…</button>
              </div>`
            : nothing}</td></tr>`)}</tbody></table></div>`;
  }

  policyCard() {
    return html`<section class="card"><h2>Indexing policy</h2>
      <m-editor label="Indexing policy" .value=${this.policy} ?readOnly=${!this.writable}
        .problem=${this.problem} @edited=${(event) => { this.policy = event.detail;
          this.problem = syntaxProblem(event.detail); }} @save=${this.savePolicy}></m-editor>
      ${this.problem ? html`<p class="problem" role="alert">${this.problem.text}</p>` : nothing}
      ${this.writable ? html`<div><button class="primary" ?disabled=${Boolean(this.problem?.line)}
        @click=${this.savePolicy}>Save</button></div>` : nothing}</section>`;
  }
}

function number(value) {
  return Number(value?.$numberLong ?? value ?? 0);
}

function options(index) {
  const parts = [];
  if (index.unique) {
    parts.push('unique');
  }
  if (index.sparse) {
    parts.push('sparse');
  }
  if (index.hidden) {
    parts.push('hidden');
  }
  if (index.expireAfterSeconds !== undefined) {
    parts.push(`expires after ${duration(number(index.expireAfterSeconds))}`);
  }
  if (index.partialFilterExpression) {
    parts.push(`where ${JSON.stringify(index.partialFilterExpression)}`);
  }
  return parts.join(', ');
}

customElements.define('m-indexes', Indexes);
