import { html, nothing } from 'lit';
import { PageElement } from './base.js';

/**
 * Question in a native dialog. Focus returns to where it was opened. With a word, the button is
 * active only when the word was typed.
 */
class Question extends PageElement {
  static properties = {
    question: { attribute: false },
    typed: { state: true },
    values: { state: true },
    busy: { state: true },
    error: { state: true },
  };

  constructor() {
    super();
    this.typed = '';
    this.values = {};
  }

  firstUpdated() {
    this.querySelector('dialog').showModal();
  }

  close(result) {
    this.result = result;
    this.querySelector('dialog').close();
  }

  closed() {
    this.remove();
    this.question.done(this.result);
  }

  set(name, value) {
    this.values = { ...this.values, [name]: value };
  }

  async act(event) {
    event.preventDefault();
    if (!this.ready()) {
      return;
    }
    try {
      this.busy = true;
      this.error = undefined;
      const result = await this.question.act?.(this.values,
        (name, value) => this.set(name, value));
      this.close(result ?? true);
    } catch (error) {
      this.error = error.message;
    } finally {
      this.busy = false;
    }
  }

  ready() {
    const { word } = this.question;
    return !this.busy && (!word || this.typed === word);
  }

  render() {
    const { title, body, word, action, danger, wide } = this.question;
    return html`<dialog class=${wide ? 'wide' : ''} aria-labelledby="question-title"
        @close=${this.closed}>
      <form class="stack" @submit=${this.act}>
        <h2 id="question-title">${title}</h2>
        ${typeof body === 'function' ? body(this.values, (n, v) => this.set(n, v)) : body}
        ${word ? html`<div class="field wide">
          <label for="question-word">Type <code>${word}</code> to confirm</label>
          <input id="question-word" autocomplete="off" .value=${this.typed}
            @input=${(event) => { this.typed = event.target.value; }}>
        </div>` : nothing}
        ${this.error ? html`<p class="problem" role="alert">${this.error}</p>` : nothing}
        <div class="actions">
          <button type="button" @click=${() => this.close(undefined)}>Cancel</button>
          <button class="primary ${danger ? 'danger' : ''}" ?disabled=${!this.ready()}>
            ${action}</button>
        </div>
      </form>
    </dialog>`;
  }
}

customElements.define('m-question', Question);

/**
 * Asks a question; resolves with the result of `act`, or undefined if it was cancelled.
 * @param {{title: string, body?: unknown, word?: string, action: string, danger?: boolean,
 *   wide?: boolean, act?: (values: Record<string, any>,
 *   set: (name: string, value: any) => void) => unknown}} question
 * @param {Record<string, any>} [values] of the fields in the body at the beginning
 * @returns {Promise<any>}
 */
export function ask(question, values = {}) {
  return new Promise((done) => {
    const element = document.createElement('m-question');
    element.question = { ...question, done };
    element.values = values;
    document.body.append(element);
  });
}
