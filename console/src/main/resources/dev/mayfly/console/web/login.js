import { html, nothing } from 'lit';
import { PageElement } from './base.js';
import * as api from './api.js';

/** Login form: a MongoDB user and password, or the key of the Cosmos door. Event: `logged-in`. */
class Login extends PageElement {
  static properties = {
    error: { attribute: false },
    over: { attribute: false },
    by: { state: true },
    busy: { state: true },
  };

  constructor() {
    super();
    this.by = 'user';
  }

  firstUpdated() {
    if (this.over) {
      this.querySelector('dialog').showModal();
    } else {
      this.querySelector('input[autocomplete]')?.focus();
    }
  }

  async submit(event) {
    event.preventDefault();
    const fields = new FormData(event.target);
    const proof = this.by === 'key' ? { key: fields.get('key').trim() }
      : { user: fields.get('user'), password: fields.get('password'),
        database: fields.get('database') || 'admin' };
    this.busy = true;
    try {
      const session = await api.login(proof);
      this.error = '';
      this.fire('logged-in', session);
    } catch (refused) {
      this.error = refused.message;
    } finally {
      this.busy = false;
    }
  }

  render() {
    return this.over ? html`<dialog aria-labelledby="login-title"
      @cancel=${(event) => event.preventDefault()}>${this.form('h2')}</dialog>`
      : html`<main class="login card">${this.form('h1')}</main>`;
  }

  form(level) {
    const title = this.over ? 'Log in again' : 'Log in to Mayfly';
    return html`<form class="stack" @submit=${this.submit}>
      ${level === 'h1' ? html`<h1 id="login-title">${title}</h1>`
        : html`<h2 id="login-title">${title}</h2>`}
      ${this.over ? html`<p class="muted">The login has ended. The page stays as it is.</p>`
        : nothing}
      <fieldset class="row wide"><legend class="unseen">Log in with</legend>
        ${[['user', 'MongoDB user'], ['key', 'Cosmos DB key']].map(([by, label]) => html`
          <label class="choice"><input type="radio" name="by" value=${by} .checked=${this.by === by}
            @change=${() => { this.by = by; }}>${label}</label>`)}
      </fieldset>
      ${this.by === 'key' ? html`<div class="field wide"><label for="login-key">Key</label>
          <input id="login-key" name="key" type="password" required autocomplete="off"></div>`
        : html`<div class="field wide"><label for="login-user">User</label>
          <input id="login-user" name="user" required autocomplete="username"></div>
        <div class="field wide"><label for="login-password">Password</label>
          <input id="login-password" name="password" type="password" required
            autocomplete="current-password"></div>
        <div class="field wide"><label for="login-database">Database of the user</label>
          <input id="login-database" name="database" value="admin"></div>`}
      ${this.error ? html`<p class="problem" role="alert">${this.error}</p>` : nothing}
      <button class="primary" ?disabled=${this.busy}>Log in</button>
    </form>`;
  }
}

customElements.define('m-login', Login);
