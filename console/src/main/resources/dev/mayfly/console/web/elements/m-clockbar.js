import { html } from 'lit';
import { PageElement } from '../base.js';
import * as api from '../api.js';
import { counted, duration, toDate } from '../format.js';
import { say, sayError } from '../messages.js';
import { databaseName } from '../texts.js';
import './m-now.js';

const STEPS = [['+1 s', 1], ['+1 min', 60], ['+1 h', 3600], ['+1 d', 86400]];
const UNITS = [['s', 1], ['min', 60], ['h', 3600], ['d', 86400]];
const MOST_NAMED = 3;

/**
 * Bar that moves a test clock, and reports what expired by it. In small windows the two forms are
 * shown on request.
 */
class ClockBar extends PageElement {
  static properties = { clock: { attribute: false }, writable: { type: Boolean },
    opened: { state: true } };

  async move(change) {
    try {
      const before = await api.get('/collections');
      const from = toDate((await api.get('/clock')).now);
      const to = toDate((await api.moveClock(change)).now);
      const after = await api.get('/collections');
      say(`The clock was moved by ${span(to - from)}. ${expired(before, after)}`);
      this.fire('status-changed');
      this.fire('collections-changed');
      window.dispatchEvent(new CustomEvent('clock-moved'));
    } catch (error) {
      sayError(error);
    }
  }

  /** Moves to a date; a form without a valid one is not sent by the browser. */
  toDate(event) {
    event.preventDefault();
    const date = new Date(new FormData(event.target).get('to'));
    if (!Number.isNaN(date.getTime())) {
      this.move({ to: date.toISOString() });
    }
  }

  byNumber(event) {
    event.preventDefault();
    const fields = new FormData(event.target);
    const millis = Math.round(Number(fields.get('number')) * Number(fields.get('unit')) * 1000);
    this.move({ advanceMillis: millis });
  }

  render() {
    const off = !this.writable;
    return html`<div class="bar clock ${this.opened ? 'opened' : ''}" role="group"
        aria-label="Test clock">
      <strong>Test clock</strong><m-now class="nums"></m-now>
      <button class="small menu-button" aria-expanded=${this.opened ? 'true' : 'false'}
        @click=${() => { this.opened = !this.opened; }}>More</button>
      ${STEPS.map(([label, seconds]) => html`<button class="small" ?disabled=${off}
        @click=${() => this.move({ advanceMillis: seconds * 1000 })}>${label}</button>`)}
      <button class="small" ?disabled=${off}
        @click=${() => this.move({ toNext: true })}>To the next deadline</button>
      <form class="row tight" @submit=${this.byNumber}>
        <input class="small number" type="number" name="number" min="0.001" step="any" required
          aria-label="Move the clock by" placeholder="by" ?disabled=${off}>
        <select class="small" name="unit" aria-label="Unit" ?disabled=${off}>${UNITS.map(
          ([label, seconds]) => html`<option value=${seconds}>${label}</option>`)}</select>
        <button class="small" ?disabled=${off}>Move by</button></form>
      <form class="row tight" @submit=${this.toDate}>
        <input class="small" type="datetime-local" step="1" name="to" required ?disabled=${off}
          aria-label="Move the clock to">
        <button class="small" ?disabled=${off}>Move to</button></form>
    </div>`;
  }
}

function span(millis) {
  return millis < 1000 ? `${millis} ms` : duration(millis / 1000);
}

/** What a move of the clock has expired, by collection. */
function expired(before, after) {
  const key = (each) => `${each.database}/${each.collection}`;
  const left = new Map(after.collections.map((each) => [key(each), each.documents]));
  const gone = before.collections
    .map((each) => ({ ...each, gone: each.documents - (left.get(key(each)) ?? each.documents) }))
    .filter((each) => each.gone > 0).sort((a, b) => b.gone - a.gone);
  if (gone.length === 0) {
    return 'No document expired by it.';
  }
  const named = gone.slice(0, MOST_NAMED).map((each) =>
    `${each.gone} of ${databaseName(each.database)}.${each.collection}`);
  const more = gone.length > MOST_NAMED ? [counted(gone.length - MOST_NAMED, 'more collection')]
    : [];
  const total = gone.reduce((sum, each) => sum + each.gone, 0);
  return `${counted(total, 'document')} expired by it: ${[...named, ...more].join(', ')}.`;
}

customElements.define('m-clockbar', ClockBar);
