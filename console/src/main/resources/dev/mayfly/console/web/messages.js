import { html, nothing } from 'lit';
import { PageElement } from './base.js';

/* Messages in the corner: what was done, or why it was refused. */

const channel = new EventTarget();
const SECONDS_SHOWN = 10;

/**
 * Shows a message; a screen reader reads it out.
 * @param {string} text
 * @param {{error?: boolean, label?: string, action?: () => void}} [options] a button
 */
export function say(text, options = {}) {
  channel.dispatchEvent(new CustomEvent('say', { detail: { text, ...options } }));
}

/** Shows the sentence of a failed request. @param {Error} error */
export function sayError(error) {
  if (error.name !== 'AbortError') {
    say(error.message, { error: true });
  }
}

class Messages extends PageElement {
  static properties = { shown: { state: true } };

  constructor() {
    super();
    this.shown = [];
    channel.addEventListener('say', (event) => this.add(event.detail));
  }

  add(message) {
    this.shown = [...this.shown.slice(-3), message];
    if (!message.error) {
      setTimeout(() => this.drop(message), SECONDS_SHOWN * 1000);
    }
  }

  drop(message) {
    this.shown = this.shown.filter((each) => each !== message);
  }

  render() {
    const row = (message) => html`<div class="message ${message.error ? 'error' : ''}">
      <p class="grow">${message.text}</p>
      ${message.label ? html`<button class="small" @click=${() => {
        this.drop(message);
        message.action();
      }}>${message.label}</button>` : nothing}
      <button class="small plain" @click=${() => this.drop(message)}>Close</button>
    </div>`;
    const errors = this.shown.filter((each) => each.error);
    const others = this.shown.filter((each) => !each.error);
    return html`<section class="messages" aria-label="Messages">
      <div class="stack tight" role="alert">${errors.map(row)}</div>
      <div class="stack tight" role="status">${others.map(row)}</div>
    </section>`;
  }
}

customElements.define('m-messages', Messages);
