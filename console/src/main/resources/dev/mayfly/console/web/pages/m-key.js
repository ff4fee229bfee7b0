import { html, nothing } from 'lit';
import { Loader, PageElement } from '../base.js';
import { get, post } from '../api.js';
import '../elements/m-copy.js';

const SHOWN_MILLIS = 30000;

/** The key of the Cosmos door: its fingerprint; the key itself after proof, for 30 seconds. */
class Key extends PageElement {
  static properties = { session: { attribute: false }, key: { state: true },
    problem: { state: true } };

  constructor() {
    super();
    this.loader = new Loader(this, (signal) => get('/connect', signal));
  }

  connectedCallback() {
    super.connectedCallback();
    this.loader.run();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.hide();
  }

  hide() {
    clearTimeout(this.timer);
    this.key = undefined;
  }

  async prove(event) {
    event.preventDefault();
    const proof = new FormData(event.target).get('proof');
    try {
      const { key } = await post('/key', this.session.kind === 'user' ? { password: proof }
        : { key: proof });
      this.key = key;
      this.problem = undefined;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.hide(), SHOWN_MILLIS);
      event.target.reset();
    } catch (error) {
      this.problem = error.message;
    }
  }

  render() {
    const door = this.loader.value?.cosmos;
    return html`<div class="stack">${this.loader.render()}
      ${this.loader.value && !door ? html`<div class="card empty"><p>The Cosmos door is off.</p>
        </div>`
        : nothing}
      ${door ? html`<section class="card"><h2>Key of the Cosmos door</h2><dl class="facts">
        <dt>Key</dt><dd>${door.key === 'well-known' ? 'the well-known key of the emulator'
          : 'a key of its own'}</dd>
        <dt>Fingerprint</dt><dd><code>${door.fingerprint}</code></dd></dl>
        ${this.content(door)}
        </section>` : nothing}</div>`;
  }

  content(door) {
    if (door.wellKnownKey) {
      return html`<m-copy name="key" text=${door.wellKnownKey}></m-copy>
        <p class="hint">Everybody knows this key. Set another one with <code>cosmos-key</code>, or
          let the server make one with <code>auth: always</code>.</p>`;
    }
    if (this.key) {
      return html`<m-copy name="key" text=${this.key}></m-copy><p class="hint">It is hidden again
        after 30 seconds. <button class="small" @click=${this.hide}>Hide</button></p>`;
    }
    return this.session?.kind === 'open' ? html`<p class="muted">This page was opened without a
      login, so it does not show the key. It is the setting <code>cosmos-key</code>, or in the data
      directory of the server.</p>` : this.form();
  }

  form() {
    const byPassword = this.session?.kind === 'user';
    return html`<form class="row" @submit=${this.prove}><div class="field">
        <label for="key-proof">${byPassword ? 'Your password' : 'Enter the key'} to show it</label>
        <input id="key-proof" name="proof" type="password" required autocomplete="off"></div>
      <button>Show the key</button></form>
      ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}`;
  }
}

customElements.define('m-key', Key);
