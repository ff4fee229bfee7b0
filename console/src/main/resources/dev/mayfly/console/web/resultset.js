import { cancel, lives, newTag } from './commands.js';
import { firstPage, nextPage, readDocument, release, soonestPage } from './documents.js';
import { keyOf, versionOf } from './keytext.js';
import { countMatches } from './matches.js';

/** How many rows are kept. */
export const MOST_ROWS = 5000;

const IDLE_MILLIS = 30000;

/**
 * Result of a query, read page by page. State that an element shows: rows, next, facts, running,
 * problem, counted. A row is {text, key, life}.
 */
export class ResultSet {
  /** @param {import('lit').LitElement} host is rendered again after a change */
  constructor(host) {
    this.host = host;
    this.rows = [];
    host.addController(this);
  }

  hostDisconnected() {
    this.stop();
  }

  changed(state) {
    Object.assign(this, state);
    this.host.requestUpdate();
  }

  /**
   * Runs a query; `soonest` lists documents in the order of their deadlines instead.
   * @returns {Promise<boolean>} whether it was answered
   */
  async run(collection, query, { paths, soonest = false } = {}) {
    this.stop();
    this.collection = collection;
    this.asked = query;
    this.paths = paths;
    this.soonest = soonest;
    this.tag = newTag();
    this.changed({ facts: undefined, counted: undefined });
    this.wanted = undefined;
    const answered = await this.load(async (tag) => {
      const page = await this.firstPage({ tag });
      this.rows = [];
      return page;
    });
    this.moreIfWanted();
    return answered;
  }

  firstPage(options) {
    return this.soonest ? soonestPage(this.collection, undefined, options?.most)
      : firstPage(this.collection, this.asked, options);
  }

  nextPage(next, options) {
    return this.soonest ? soonestPage(this.collection, next.after, options?.most)
      : nextPage(this.collection, this.asked, next, options);
  }

  /** Reads the next page; while the lives of the last one are read, it is read after them. */
  async more() {
    if (this.running) {
      this.wanted = this.rows.length;
    } else if (this.next && this.rows.length < MOST_ROWS) {
      await this.load((tag) => this.nextPage(this.next, { tag }));
      await this.moreIfWanted();
    }
  }

  async moreIfWanted() {
    if (this.wanted === this.rows.length) {
      this.wanted = undefined;
      await this.more();
    }
  }

  /** Forgets the rows, and reads the page after them. */
  goOn() {
    this.rows = [];
    return this.more();
  }

  async load(read) {
    const { tag } = this;
    this.changed({ running: true, problem: undefined });
    try {
      const page = await read(tag);
      if (tag !== this.tag) {
        return false;
      }
      this.next = page.next;
      this.releaseLater();
      const added = page.texts.map((text, i) => ({ text, key: this.keyOf(text),
        through: page.through ?? versionOf(text), ...page.extra?.[i] }));
      this.changed({ facts: page, rows: [...this.rows, ...added] });
      await this.readLives(added, tag);
      return true;
    } catch (error) {
      if (tag === this.tag) {
        this.changed({ problem: problemOf(error) });
      }
      return false;
    } finally {
      if (tag === this.tag) {
        this.changed({ running: false });
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
      keyed.forEach((row, i) => { row.life = asShown(found[i], row); });
      this.changed({ rows: [...this.rows] });
    }
  }

  /** Reads one row again, in its place. */
  async refresh(key) {
    const row = this.rows.find((each) => each.key === key);
    if (!row || this.asked.projection?.trim()) {
      return;
    }
    row.through = undefined;
    await this.readLives([row], this.tag);
    const text = await readDocument(this.collection, key).catch(() => row.text);
    row.text = text ?? row.text;
    row.parsed = undefined;
    this.changed({ rows: [...this.rows] });
  }

  /** An open cursor delays the sweep: it is closed soon, and when the page is left. */
  releaseLater() {
    clearTimeout(this.idle);
    this.idle = setTimeout(() => this.release(), IDLE_MILLIS);
  }

  release() {
    clearTimeout(this.idle);
    if (this.collection) {
      this.next = release(this.collection, this.next, this.rows.length);
    }
  }

  stop() {
    this.release();
    if (this.running && this.tag) {
      cancel(this.tag);
    }
    this.tag = undefined;
    this.changed({ running: false });
  }

  async count(collection, query) {
    this.stop();
    const tag = newTag();
    this.tag = tag;
    this.changed({ running: true, problem: undefined, counted: undefined });
    try {
      const counted = await countMatches(collection, query, tag);
      this.changed(tag === this.tag ? { counted } : {});
    } catch (error) {
      this.changed(tag === this.tag ? { problem: problemOf(error) } : {});
    } finally {
      this.changed(tag === this.tag ? { running: false } : {});
    }
  }
}

/**
 * The life of a row, whose text was read before it. A version that is newer than the text is not
 * that of the text: a write that depends on it must fail, so it gets an older one.
 */
function asShown(life, { through }) {
  return life?.version && through && BigInt(life.version) > BigInt(through)
    ? { ...life, version: through } : life;
}

function problemOf(error) {
  return { text: error.code === 'CANCELLED' ? 'Stopped.' : error.message, line: error.line,
    column: error.column };
}
