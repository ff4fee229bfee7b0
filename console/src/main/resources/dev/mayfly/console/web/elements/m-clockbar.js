import { html } from 'lit';
import { PageElement } from '../base.js';
import * as api from '../api.js';
import { counted, duration } from '../format.js';
import { say, sayError } from '../messages.js';
import './m-now.js';

const STEPS = [['+1 s', 1], ['+1 min', 60], ['+1 h', 3600], ['+1 d', 86400]];

/** Bar that moves a test clock, and reports what expired by it. */
class ClockBar extends PageElement {
  static properties = { clock: { attribute: false }, writable: { type: Boolean } };

  async move(change) {
    try {
      const before = await this.feedPosition();
      const moved = await api.moveClock(change);
      const expired = await this.expiredSince(before);
      const by = moved.moved === undefined ? '' : ` by ${duration(moved.moved / 1000)}`;
      say(`The clock was moved${by}. ${expired}`);
      this.fire('status-changed');
      this.fire('collections-changed');
      window.dispatchEvent(new CustomEvent('clock-moved'));
    } catch (error) {
      sayError(error);
    }
  }

  async feedPosition() {
    const { after } = await api.post('/feed', { after: 'now', most: 1, waitMillis: 0 });
    return after;
  }

  async expiredSince(position) {
    const { changes } = await api.post('/feed', { after: position, kinds: ['expire'], most: 200,
      waitMillis: 300 });
    const most = changes.length === 200 ? 'At least ' : '';
    return `${most}${counted(changes.length, 'document')} expired by it.`;
  }

  submit(event) {
    event.preventDefault();
    const text = new FormData(event.target).get('to');
    const date = new Date(text);
    if (!Number.isNaN(date.getTime())) {
      this.move({ to: date.toISOString() });
    }
  }

  render() {
    return html`<div class="bar clock" role="group" aria-label="Test clock">
      <strong>Test clock</strong><m-now class="nums"></m-now>
      ${STEPS.map(([label, seconds]) => html`<button class="small" ?disabled=${!this.writable}
        @click=${() => this.move({ advanceMillis: seconds * 1000 })}>${label}</button>`)}
      <button class="small" ?disabled=${!this.writable}
        @click=${() => this.move({ toNext: true })}>To the next deadline</button>
      <form class="row" @submit=${this.submit}>
        <input type="datetime-local" step="1" name="to" aria-label="Move the clock to" required>
        <button class="small" ?disabled=${!this.writable}>Move</button></form>
    </div>`;
  }
}

customElements.define('m-clockbar', ClockBar);
