import { html, nothing } from 'lit';
import { PageElement } from '../base.js';
import { deleteMatches, deleteSelected, setTtlOfAll, setTtlOfSelected } from '../bulkdialogs.js';
import { exportShown } from '../exporter.js';
import { count } from '../format.js';
import { insertDocuments } from '../insertdialog.js';

const VIEWS = [['list', 'List'], ['table', 'Table'], ['json', 'JSON']];

/**
 * What can be done with the documents that are shown. Events: `view`, `soonest`, `done` after
 * documents were written.
 */
class Actions extends PageElement {
  static properties = {
    collection: { attribute: false },
    query: { attribute: false },
    results: { attribute: false },
    paths: { attribute: false },
    selection: { attribute: false },
    view: { attribute: false },
    bySoonest: { type: Boolean },
    writable: { type: Boolean },
  };

  async act(work) {
    const { collection, query, paths } = this;
    const rows = [...this.selection].filter((row) => row.key);
    const keys = rows.map((row) => row.key);
    const versions = rows.map((row) => row.life?.version ?? '');
    if (await work({ collection, query, paths, keys, versions })) {
      this.fire('done');
    }
  }

  render() {
    return html`<div class="row between"><div class="row">
      <div class="group" role="group" aria-label="View">${VIEWS.map(([view, label]) => html`<button
        aria-pressed=${this.view === view ? 'true' : 'false'}
        @click=${() => this.fire('view', view)}>${label}</button>`)}</div>
      <button aria-pressed=${this.bySoonest ? 'true' : 'false'}
        @click=${() => this.fire('soonest')}>Soonest first</button>
      </div><div class="row"><button ?disabled=${!this.results.asked}
        @click=${() => exportShown(this.collection, this.results)}>Export…</button>
      ${this.writable ? this.writes(this.selection.size) : nothing}
    </div></div>`;
  }

  /** With a selection, buttons are about it; without one, about all that match. */
  writes(selected) {
    const pipeline = selected === 0 && this.query.pipeline;
    const insert = ({ collection, paths }) => insertDocuments(collection, { paths });
    return html`<button data-insert @click=${() => this.act(insert)}>Insert…</button>
      <button ?disabled=${pipeline} @click=${() =>
        this.act(selected ? setTtlOfSelected : setTtlOfAll)}>Set ttl of ${
          selected ? `${count(selected)} selected` : 'all that match'}…</button>
      <button class="danger" ?disabled=${pipeline} @click=${() =>
        this.act(selected ? deleteSelected : deleteMatches)}>Delete ${
          selected ? `${count(selected)} selected` : 'all that match'}…</button>`;
  }
}

customElements.define('m-actions', Actions);
