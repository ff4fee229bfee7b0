import { html, nothing } from 'lit';
import { PageElement } from '../base.js';
import { partitionPaths } from '../commands.js';
import { ask } from '../dialogs.js';
import { firstQuery } from '../documents.js';
import { count, counted } from '../format.js';
import { keyOf } from '../keytext.js';
import { withId } from '../matches.js';
import { say, sayError } from '../messages.js';
import { MOST_ROWS, ResultSet } from '../resultset.js';
import { TEXTS, isContainer } from '../texts.js';
import { manageQueries, pastQueries, proposed, saveQuery, savedQueries } from '../queries.js';
import '../elements/m-actions.js';
import '../elements/m-query.js';
import '../elements/m-results.js';
import '../elements/m-document.js';

/** If a query reads this many documents for each one it finds, the page warns. */
const MANY_READ = 20;

/** Documents of a collection: query, results by continuation, one document beside them. */
class Documents extends PageElement {
  static properties = {
    collection: { attribute: false },
    writable: { type: Boolean },
    session: { attribute: false },
    query: { state: true },
    view: { state: true },
    opened: { state: true },
    selection: { state: true },
    bySoonest: { state: true },
    saved: { state: true },
  };

  constructor() {
    super();
    this.results = new ResultSet(this);
    this.view = 'list';
    this.selection = new Set();
    this.saved = [];
    this.moved = () => this.run();
  }

  connectedCallback() {
    super.connectedCallback();
    this.proposed = proposed(this.collection);
    this.query = this.proposed ?? this.query ?? firstQuery(this.collection);
    window.addEventListener('clock-moved', this.moved);
    this.begin();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    window.removeEventListener('clock-moved', this.moved);
  }

  async begin() {
    try {
      this.paths = isContainer(this.collection) ? await partitionPaths(this.collection) : undefined;
    } catch (error) {
      sayError(error);
    }
    this.proposed || this.run();
    this.saved = await savedQueries(this.collection);
  }

  async run(part) {
    const query = { ...this.query, ...part };
    const answered = await this.results.run(this.collection, query,
      { paths: this.paths, soonest: this.bySoonest });
    if (answered) {
      this.selection = new Set();
      this.remember(query);
    }
  }

  remember(query) {
    const list = pastQueries(this.collection);
    if (!this.bySoonest && list[0]?.text !== query.text) {
      list.unshift({ ...query });
      list.length = Math.min(list.length, 20);
      this.requestUpdate();
    }
  }

  async keep() {
    const saved = await saveQuery(this.collection, this.query);
    if (saved) {
      this.saved = [...this.saved, saved];
    }
  }

  async recall(chosen) {
    const [kind, id] = [chosen.slice(0, chosen.indexOf(':')),
      chosen.slice(chosen.indexOf(':') + 1)];
    if (kind === 'manage') {
      await manageQueries(this.saved);
      this.saved = await savedQueries(this.collection);
      return;
    }
    const query = kind === 'saved' ? JSON.parse(this.saved.find((each) => each.id === id).text)
      : kind === 'past' ? pastQueries(this.collection)[Number(id)] : undefined;
    if (query) {
      this.runNew({ ...query });
    }
  }

  runNew(query) {
    this.query = query;
    this.bySoonest = false;
    this.run();
  }

  /** Asks before an edit is given up. */
  async mayLeave() {
    return !this.querySelector('m-document')?.isEdited() || ask({ title: 'Discard your changes?',
      action: 'Discard', danger: true,
      body: html`<p>The document that is open was edited and not saved.</p>` });
  }

  async open(row) {
    if (row.key) {
      this.opened = row.key === this.opened?.key || await this.mayLeave() ? row : this.opened;
    } else {
      sayError(new Error('This row has no id, so it cannot be opened. Query whole documents.'));
    }
  }

  async goTo(typed) {
    try {
      const { texts, query } = await withId(this.collection, typed);
      if (texts.length === 1) {
        this.open({ key: keyOf(texts[0], this.paths) });
      } else if (texts.length > 1) {
        this.runNew(query);
      } else {
        say(`No document has the id ${typed}.`);
      }
    } catch (error) {
      sayError(error);
    }
  }

  /** After a write, the list keeps its place: only the row of the document is read again. */
  written({ detail }) {
    this.fire('collections-changed');
    this.results.refresh(detail.key);
  }

  /** Escape stops a query from everywhere on the page. */
  pressed(event) {
    if (event.key === 'Escape' && this.results.running && !event.defaultPrevented) {
      event.preventDefault();
      this.results.stop();
    }
  }

  async close() {
    if (await this.mayLeave()) {
      this.opened = undefined;
      this.querySelector('.grid')?.focus();
    }
  }

  render() {
    const { results } = this;
    return html`<div class="stack" @keydown=${this.pressed}>
      <m-query .collection=${this.collection} .query=${this.query} ?running=${results.running}
        .problem=${results.problem} .past=${[...pastQueries(this.collection)]} .saved=${this.saved}
        @query=${(event) => { this.query = event.detail; }}
        @run=${(event) => { this.bySoonest = false; this.run(event.detail); }}
        @stop=${() => results.stop()} @keep=${this.keep}
        @count=${() => results.count(this.collection, this.query)}
        @recall=${(event) => this.recall(event.detail)}
        @go-to=${(event) => this.goTo(event.detail)}></m-query>
      <m-actions .collection=${this.collection} .query=${this.query} .results=${results}
        .paths=${this.paths} .selection=${this.selection} .view=${this.view}
        ?bySoonest=${this.bySoonest} ?writable=${this.writable}
        @view=${(event) => { this.view = event.detail; }}
        @soonest=${() => { this.bySoonest = !this.bySoonest; this.run(); }}
        @done=${() => { this.fire('collections-changed'); this.run(); }}></m-actions>
      <div class="workspace ${this.opened ? 'open' : ''}">
        <div class="stack tight">${this.result()}</div>
        ${this.opened ? html`<m-splitter variable="--document" reverse label="Document width">
          </m-splitter><m-document class="document card" .collection=${this.collection}
          .key=${this.opened.key} .paths=${this.paths} ?writable=${this.writable}
          @open-key=${(event) => { this.opened = { key: event.detail }; }}
          @close=${this.close} @changed=${this.written}></m-document>` : nothing}
      </div></div>`;
  }

  result() {
    const { facts, rows, running, next, counted: found } = this.results;
    return html`<p class="quiet small" role="status">${facts ? this.factLine(facts)
        : running ? 'Reading…' : nothing}
      ${found === undefined ? nothing : html`· <strong>${counted(found, 'document')}
        match${found === 1 ? 'es' : ''}</strong>`}</p>
      ${facts ? this.costWarning(facts) : nothing}
      ${facts && rows.length === 0 && !running ? html`<div class="card empty">
        <p>${this.collection.documents === 0 ? TEXTS.emptyCollection : TEXTS.noDocuments}</p></div>`
        : html`<m-results .rows=${rows} .view=${this.view} .complete=${!next}
          .container=${isContainer(this.collection)} .opened=${this.opened}
          .selection=${this.selection} ?selectable=${this.writable && !this.query.pipeline}
          @open=${(event) => this.open(event.detail)} @end=${() => this.results.more()}
          @selection=${(event) => { this.selection = event.detail; }}></m-results>`}
      ${next && rows.length >= MOST_ROWS ? html`<div class="row"><span>${count(MOST_ROWS)}
        rows are kept.</span><button @click=${() => this.results.goOn()}>Go on after
          these</button></div>` : nothing}`;
  }

  costWarning({ plan, examined, texts }) {
    const wasteful = !plan && examined > MANY_READ * Math.max(1, texts.length);
    const warning = plan?.startsWith('COLLSCAN') ? TEXTS.wholeScan
      : wasteful ? TEXTS.manyRead : undefined;
    return examined > 1000 && warning ? html`<p class="small warn-text">${warning}</p>` : nothing;
  }

  factLine(facts) {
    const more = this.results.next ? ', more follow' : '';
    const parts = [`${counted(this.results.rows.length, 'document')} shown${more}`,
      facts.millis === undefined ? undefined : `${count(facts.millis)} ms`,
      facts.examined === undefined ? undefined : `${count(facts.examined)} looked at`,
      facts.plan, facts.requestUnits === undefined ? undefined : `${facts.requestUnits} RU`];
    return parts.filter(Boolean).join(' · ');
  }
}

customElements.define('m-documents', Documents);
