import { html, nothing } from 'lit';
import { PageElement } from '../base.js';
import { collectionPath, events, post } from '../api.js';
import { about } from '../commands.js';
import { ask } from '../dialogs.js';
import { indent } from '../ejson.js';
import { count, duration, toDate, when } from '../format.js';
import { shownKey } from '../keytext.js';
import { Pauses } from '../pauses.js';
import { TEXTS, databaseName } from '../texts.js';
import '../elements/m-grid.js';

const MOST_ROWS = 1000;
const WAIT_MILLIS = 20000;
const KINDS = ['expire', 'insert', 'update', 'replace', 'delete'];

/** The feed as it comes: expiries by default, newest first. */
class Changes extends PageElement {
  static properties = {
    collection: { attribute: false },
    kinds: { state: true },
    rows: { state: true },
    paused: { state: true },
    note: { state: true },
  };

  constructor() {
    super();
    this.kinds = new Set(['expire']);
    this.rows = [];
    this.position = 'now';
    this.pauses = new Pauses();
    this.seen = () => this.follow();
  }

  connectedCallback() {
    super.connectedCallback();
    document.addEventListener('visibilitychange', this.seen);
    this.follow();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    document.removeEventListener('visibilitychange', this.seen);
    this.abort?.abort();
  }

  path() {
    return this.collection ? about(this.collection, 'feed') : '/feed';
  }

  /** Asks again and again while the page is in sight; one request waits up to 20 s. */
  async follow() {
    this.abort?.abort();
    const abort = new AbortController();
    this.abort = abort;
    const going = () => this.isConnected && !this.paused && this.abort === abort
      && document.visibilityState === 'visible';
    while (going()) {
      try {
        const answer = await post(this.path(), { after: this.position, kinds: [...this.kinds],
          most: 200, waitMillis: this.position === 'now' ? 0 : WAIT_MILLIS }, abort.signal);
        this.pauses.reset();
        this.take(answer);
      } catch (error) {
        if (error.name !== 'AbortError') {
          this.note = error.message;
          this.lost = error.status === 0;
          await this.pause(abort.signal);
        }
      }
    }
  }

  /** Waits for the next attempt: until the pause is over, or the server answers others again. */
  pause(signal) {
    return new Promise((done) => {
      const timer = setTimeout(done, this.pauses.next());
      const early = () => {
        clearTimeout(timer);
        done();
      };
      events.addEventListener('back', early, { once: true, signal });
      signal.addEventListener('abort', early, { once: true });
    });
  }

  /** A position beyond the end of the feed is that of a server that has lost its data. */
  take(answer) {
    const restarted = /^\d+$/.test(this.position) && /^\d+$/.test(answer.after)
      && BigInt(answer.after) < BigInt(this.position);
    if (answer.trimmed) {
      this.note = TEXTS.trimmed;
    } else if (this.lost || restarted) {
      this.note = restarted ? TEXTS.restarted : TEXTS.back;
      this.lost = false;
    }
    this.position = answer.after;
    if (answer.changes.length > 0) {
      this.rows = [...answer.changes.reverse(), ...this.rows].slice(0, MOST_ROWS);
    }
  }

  from(position) {
    this.position = position;
    this.rows = [];
    this.note = undefined;
    this.paused = false;
    this.follow();
  }

  toggle(kind) {
    const kinds = new Set(this.kinds);
    kinds.delete(kind) || kinds.add(kind);
    if (kinds.size > 0) {
      this.kinds = kinds;
      this.follow();
    }
  }

  stopOrGoOn() {
    this.paused = !this.paused;
    this.follow();
  }

  /** Images are read when they are looked at: the feed itself stays small. */
  async images({ position, key, kind, database, collection }) {
    const { changes } = await post(collectionPath(database, collection, 'feed'),
      { after: String(BigInt(position) - 1n), kinds: [kind], most: 200, images: true });
    return changes.find((each) => each.position === position && each.key === key) ?? {};
  }

  async show(row) {
    const change = { ...row, ...await this.images(row).catch(() => ({})) };
    const image = change.before ?? change.after;
    ask({ title: `${change.kind}: ${shownKey(change.key)}`, action: 'Close', wide: true,
      body: image ? html`<h3>${imageName(change)}</h3>
        <pre class="copy" tabindex="0">${indent(image)}</pre>`
        : html`<p class="muted">${TEXTS.noImage}</p>` });
  }

  columns() {
    return [
      { label: 'time', width: '190px', cell: (row) => when(toDate(row.at)) },
      { label: 'kind', width: '80px', cell: (row) => row.kind },
      ...(this.collection ? [] : [{ label: 'collection', width: 'minmax(140px, 220px)',
        cell: (row) => `${databaseName(row.database)}.${row.collection}` }]),
      { label: 'id', width: 'minmax(160px, 1fr)', cell: (row) =>
        html`<code>${shownKey(row.key)}</code>` },
      { label: 'cause', width: '110px', cell: (row) => causeOf(row) },
      { label: 'deadline', width: '190px', cell: (row) => (row.deadline
        ? when(toDate(row.deadline)) : '') },
      { label: 'reported', width: '130px', cell: (row) => late(row) },
    ];
  }

  render() {
    return html`${this.collection ? nothing : html`<div class="page-head">
        <h1 tabindex="-1">Changes of all collections</h1></div>`}
      <div class="stack"><div class="row">
        <fieldset class="row"><legend class="unseen">Kinds</legend>${KINDS.map((kind) => html`
          <label class="choice"><input type="checkbox" .checked=${this.kinds.has(kind)}
            @change=${() => this.toggle(kind)}>${kind}</label>`)}</fieldset>
        <span class="grow"></span>
        <button aria-pressed=${this.paused ? 'true' : 'false'}
          @click=${this.stopOrGoOn}>Pause</button>
        <button @click=${() => this.from('now')}>From now</button>
        <button @click=${() => this.from('oldest')}>From the oldest</button></div>
      ${this.note ? html`<p class="warn-text" role="status">${this.note}</p>` : nothing}
      <p class="quiet small" role="status">${this.paused ? 'Paused.' : 'Live.'}
        ${count(this.rows.length)} shown${this.rows.length === MOST_ROWS ? ', the newest' : ''}.</p>
      ${this.rows.length === 0 ? html`<div class="card empty"><p>Nothing
        yet. ${this.kinds.has('expire')
        ? 'An expired document appears here when the sweep reports it.' : ''}</p></div>`
        : html`<m-grid label="Changes" .rows=${this.rows} .columns=${this.columns()}
          .total=${this.rows.length} height="560" @open=${(event) => this.show(event.detail)}>
            </m-grid>`}
      </div>`;
  }
}

function causeOf({ cause }) {
  return { deadline: 'its deadline', cap: 'the cap', write: 'a write' }[cause] ?? cause;
}

function imageName({ kind, before }) {
  return before ? 'Before' : kind === 'update' ? 'Changed fields' : 'After';
}

function late(row) {
  if (row.lateMillis === undefined) {
    return '';
  }
  return row.lateMillis < 1000 ? `${row.lateMillis} ms later`
    : `${duration(row.lateMillis / 1000)} later`;
}

customElements.define('m-changes', Changes);
