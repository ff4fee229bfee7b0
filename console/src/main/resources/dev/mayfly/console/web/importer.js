import { insert } from './documents.js';
import { Splitter } from './lines.js';
import { toExtendedJson } from './shell.js';
import { isContainer } from './texts.js';
import { violations } from './violations.js';

/* Documents from a file. It is read in slices: its size does not matter. */

const SLICE_BYTES = 1 << 20;
const BATCH_CHARACTERS = 1 << 20;
const BATCH = 200;
const MOST_REFUSALS = 20;

/**
 * Import of one file: goes on where it stopped. State: inserted, refused (a number), refusals,
 * bytes (read so far), ended, problem.
 */
export class Import {
  /** @param {Record<string, any>} collection @param {File} file @param {() => void} changed */
  constructor(collection, file, changed) {
    this.collection = collection;
    this.file = file;
    this.changed = changed;
    this.splitter = new Splitter();
    this.decoder = new TextDecoder('utf-8', { fatal: true });
    this.waiting = [];
    this.bytes = 0;
    this.number = 0;
    this.inserted = 0;
    this.refused = 0;
    this.refusals = [];
  }

  /** Works until the end of the file, or until it is paused. */
  async run() {
    this.paused = false;
    this.problem = undefined;
    this.running = true;
    this.changed();
    try {
      while (!this.ended && !this.paused) {
        if (this.waiting.length > 0) {
          await this.insertBatch();
        } else if (this.bytes < this.file.size) {
          await this.readSlice();
        } else {
          this.finish();
        }
        this.changed();
      }
    } catch (error) {
      this.problem = error.message;
    }
    this.running = false;
    this.changed();
  }

  async readSlice() {
    const slice = this.file.slice(this.bytes, this.bytes + SLICE_BYTES);
    const content = await slice.arrayBuffer();
    const last = this.bytes + content.byteLength >= this.file.size;
    this.waiting = this.splitter.push(this.text(content, last));
    this.bytes += content.byteLength;
  }

  text(content, last) {
    try {
      return this.decoder.decode(content, { stream: !last });
    } catch {
      throw new Error('The file is no text in UTF-8.');
    }
  }

  finish() {
    this.splitter.end();
    if (this.number === 0) {
      throw new Error('There is no document in the file.');
    }
    this.ended = true;
  }

  /** A batch leaves the queue only when it was answered. */
  async insertBatch() {
    const part = [];
    let size = 0;
    while (part.length < Math.min(BATCH, this.waiting.length) && size < BATCH_CHARACTERS) {
      size += this.waiting[part.length].length;
      part.push(this.waiting[part.length]);
    }
    const answer = await this.insertTexts(part);
    this.inserted += answer.inserted;
    answer.refused.forEach((each) => this.refuse(this.number + each.index + 1, each));
    this.number += part.length;
    this.waiting = this.waiting.slice(part.length);
  }

  /** Documents in the language of a shell become Extended JSON; mistakes refuse one document. */
  async insertTexts(part) {
    const texts = [];
    const places = [];
    const refused = [];
    part.forEach((text, index) => {
      try {
        texts.push(isContainer(this.collection) ? text : toExtendedJson(text));
        places.push(index);
      } catch (error) {
        refused.push({ index, error: error.message });
      }
    });
    const answer = texts.length ? await insert(this.collection, texts) : { inserted: 0 };
    (answer.refused ?? []).forEach((each) => refused.push({ ...each, index: places[each.index] }));
    return { inserted: answer.inserted, refused };
  }

  refuse(number, { error, details }) {
    this.refused++;
    if (this.refusals.length < MOST_REFUSALS) {
      const rules = violations(details).map(({ path, text }) => `${path} ${text}`.trim());
      this.refusals.push({ number, error: [error, ...rules].join(' · ') });
    }
  }
}
