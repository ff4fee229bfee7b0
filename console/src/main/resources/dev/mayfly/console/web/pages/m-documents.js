import { html, nothing } from 'lit';
import { PageElement } from '../base.js';
import { cancel, lives, newTag, partitionPaths } from '../commands.js';
import { countMatches, firstPage, firstQuery, nextPage, release, soonestPage }
  from '../documents.js';
import { count, counted } from '../format.js';
import { keyOf } from '../keytext.js';
import { sayError } from '../messages.js';
import { TEXTS, isContainer } from '../texts.js';
import { deleteMatches, deleteSelected, setTtlOfSelected } from '../bulkdialogs.js';
import { insertDocuments } from '../insertdialog.js';
import { pastQueries, saveQuery, savedQueries } from '../queries.js';
import '../elements/m-query.js';
import '../elements/m-results.js';
import '../elements/m-document.js';

const MOST_ROWS = 5000;
const IDLE_MILLIS = 30000;
const VIEWS = [['list', 'List'], ['table', 'Table'], ['json', 'JSON']];

/** Documents of a collection: query, results by continuation, one document beside them. */
class Documents extends PageElement {
  static properties = {
    collection: { attribute: false },
    writable: { type: Boolean },
    session: { attribute: false },
    query: { state: true },
    rows: { state: true },
    view: { state: true },
    running: { state: true },
    problem: { state: true },
    facts: { state: true },
    opened: { state: true },
    selection: { state: true },
    bySoonest: { state: true },
  };

  constructor() {
    super();
    this.rows = [];
    this.view = 'list';
    this.selection = new Set();
    this.saved = [];
    this.moved = () => this.run();
  }

  connectedCallback() {
    super.connectedCallback();
    this.query ??= firstQuery(this.collection);
    window.addEventListener('clock-moved', this.moved);
    this.begin();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    window.removeEventListener('clock-moved', this.moved);
    this.stop();
  }

  async begin() {
    try {
      this.paths = isContainer(this.collection) ? await partitionPaths(this.collection) : undefined;
    } catch (error) {
      sayError(error);
    }
    this.run();
    this.saved = await savedQueries(this.collection);
    this.requestUpdate();
  }

  earlier() {
    return pastQueries(this.collection);
  }

  async run(part) {
    this.stop();
    this.asked = { ...this.query, ...part };
    this.tag = newTag();
    this.facts = undefined;
    this.counted = undefined;
    await this.load(async (tag) => {
      const page = this.bySoonest ? await soonestPage(this.collection)
        : await firstPage(this.collection, this.asked, { tag });
      this.remember();
      this.rows = [];
      this.selection = new Set();
      return page;
    });
  }

  remember() {
    const list = this.earlier();
    if (!this.bySoonest && list[0]?.text !== this.asked.text) {
      list.unshift({ ...this.asked });
      list.length = Math.min(list.length, 20);
    }
  }

  async more() {
    if (this.next && !this.running && this.rows.length < MOST_ROWS) {
      await this.load((tag) => (this.bySoonest ? soonestPage(this.collection, this.next.after)
        : nextPage(this.collection, this.asked, this.next, { tag })));
    }
  }

  async load(read) {
    const { tag } = this;
    this.running = true;
    this.problem = undefined;
    try {
      const page = await read(tag);
      if (tag !== this.tag) {
        return;
      }
      this.next = page.next;
      this.releaseLater();
      this.facts = { ...page, shown: this.rows.length + page.texts.length };
      const added = page.texts.map((text, i) => ({ text, key: this.keyOf(text),
        ...page.extra?.[i] }));
      this.rows = [...this.rows, ...added];
      await this.readLives(added, tag);
    } catch (error) {
      if (tag === this.tag) {
        this.problem = problemOf(error);
      }
    } finally {
      if (tag === this.tag) {
        this.running = false;
      }
    }
  }

  /** Rows that are no whole documents (projections, pipelines, values) have no key. */
  keyOf(text) {
    const whole = text.startsWith('{') && !this.asked.pipeline;
    const key = whole ? keyOf(text, this.paths) : undefined;
    return key === 'null' || key?.startsWith('{"id":""') ? undefined : key;
  }

  async readLives(rows, tag) {
    const keyed = rows.filter((row) => row.key);
    const found = await lives(this.collection, keyed.map((row) => row.key)).catch(() => []);
    if (tag === this.tag) {
      keyed.forEach((row, i) => { row.life = found[i]; });
      this.rows = [...this.rows];
    }
  }

  /** An open cursor delays the sweep: it is closed soon, and when the page is left. */
  releaseLater() {
    clearTimeout(this.idle);
    this.idle = setTimeout(() => this.release(), IDLE_MILLIS);
  }

  release() {
    clearTimeout(this.idle);
    this.next = release(this.collection, this.next, this.rows.length);
  }

  stop() {
    this.release();
    if (this.running && this.tag) {
      cancel(this.tag);
    }
    this.tag = undefined;
    this.running = false;
  }

  async count() {
    const tag = newTag();
    this.tag = tag;
    this.running = true;
    try {
      this.counted = await countMatches(this.collection, this.query, tag);
    } catch (error) {
      this.problem = problemOf(error);
    } finally {
      this.running = false;
    }
  }

  async keep() {
    const saved = await saveQuery(this.collection, this.query);
    if (saved) {
      this.saved = [...this.saved, saved];
      this.requestUpdate();
    }
  }

  recall(chosen) {
    const [kind, id] = [chosen.slice(0, chosen.indexOf(':')),
      chosen.slice(chosen.indexOf(':') + 1)];
    const query = kind === 'saved' ? JSON.parse(this.saved.find((each) => each.id === id).text)
      : kind === 'past' ? this.earlier()[Number(id)] : undefined;
    if (query) {
      this.query = { ...query };
      this.bySoonest = false;
      this.run();
    }
  }

  async act(work) {
    if (await work) {
      this.fire('collections-changed');
      this.run();
    }
  }

  open(row) {
    if (row.key) {
      this.opened = row;
    } else {
      sayError(new Error('This row has no id, so it cannot be opened. Query whole documents.'));
    }
  }

  render() {
    return html`<div class="stack">
      <m-query .collection=${this.collection} .query=${this.query} ?running=${this.running}
        .problem=${this.problem} .past=${this.earlier()} .saved=${this.saved}
        @query=${(event) => { this.query = event.detail; }}
        @run=${(event) => { this.bySoonest = false; this.run(event.detail); }}
        @stop=${this.stop} @count=${this.count} @keep=${this.keep}
        @recall=${(event) => this.recall(event.detail)}></m-query>
      ${this.toolbar()}
      <div class="workspace ${this.opened ? 'open' : ''}">
        <div class="stack tight">${this.result()}</div>
        ${this.opened ? html`<m-document class="document card" .collection=${this.collection}
          .key=${this.opened.key} .paths=${this.paths} ?writable=${this.writable}
          @close=${() => { this.opened = undefined; this.querySelector('.grid')?.focus(); }}
          @changed=${() => { this.fire('collections-changed'); this.run(); }}></m-document>`
          : nothing}
      </div></div>`;
  }

  toolbar() {
    const { size } = this.selection;
    const targets = { collection: this.collection, query: this.query, paths: this.paths,
      keys: [...this.selection].map((row) => row.key) };
    return html`<div class="row">
      <div class="group" role="group" aria-label="View">${VIEWS.map(([view, label]) => html`<button
        aria-pressed=${this.view === view ? 'true' : 'false'}
        @click=${() => { this.view = view; }}>${label}</button>`)}</div>
      <button aria-pressed=${this.bySoonest ? 'true' : 'false'}
        @click=${() => { this.bySoonest = !this.bySoonest; this.run(); }}>Soonest first</button>
      <span class="grow"></span>
      ${this.writable ? html`
        <button data-insert
          @click=${() => this.act(insertDocuments(this.collection))}>Insert…</button>
        <button ?disabled=${size === 0} @click=${() => this.act(setTtlOfSelected(targets))}>Set
          ttl${size ? ` of ${count(size)}` : ''}…</button>
        <button class="danger" ?disabled=${size === 0}
          @click=${() => this.act(deleteSelected(targets))}>Delete${
            size ? ` ${count(size)}` : ''}…</button>
        <button class="danger" ?disabled=${this.query.pipeline}
          @click=${() => this.act(deleteMatches(targets))}>Delete all that match…</button>` :
            nothing}
    </div>`;
  }

  result() {
    const { facts } = this;
    return html`<p class="quiet small" role="status">${facts ? this.factLine(facts)
        : this.running ? 'Reading…' : nothing}
      ${this.counted === undefined ? nothing : html`· <strong>${counted(this.counted, 'document')}
        match</strong>`}</p>
      ${facts?.plan?.startsWith('COLLSCAN') && facts.examined > 1000 ? html`
        <p class="small warn-text">
        ${TEXTS.wholeScan}</p>` : nothing}
      ${facts && this.rows.length === 0 && !this.running ? html`<div class="card empty">
        <p>${this.collection.documents === 0 ? TEXTS.emptyCollection : TEXTS.noDocuments}</p></div>`
        : html`<m-results .rows=${this.rows} .view=${this.view} .complete=${!this.next}
          .container=${isContainer(this.collection)} .opened=${this.opened}
          .selection=${this.selection} ?selectable=${this.writable && !this.query.pipeline}
          @open=${(event) => this.open(event.detail)} @end=${this.more}
          @selection=${(event) => { this.selection = event.detail; }}></m-results>`}
      ${this.next && this.rows.length >= MOST_ROWS ? html`<div class="row"><span>${count(MOST_ROWS)}
        rows are kept.</span><button
          @click=${() => { this.rows = []; this.more(); }}>Go on after these</button></div>` :
          nothing}`;
  }

  factLine(facts) {
    const more = this.next ? ', more follow' : '';
    const parts = [`${counted(this.rows.length, 'document')} shown${more}`,
      facts.millis === undefined ? undefined : `${count(facts.millis)} ms`,
      facts.examined === undefined ? undefined : `${count(facts.examined)} looked at`,
      facts.plan, facts.requestUnits === undefined ? undefined : `${facts.requestUnits} RU`];
    return parts.filter(Boolean).join(' · ');
  }
}

function problemOf(error) {
  return { text: error.code === 'CANCELLED' ? 'Stopped.' : error.message, line: error.line,
    column: error.column };
}

customElements.define('m-documents', Documents);
