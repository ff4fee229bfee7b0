import { html, nothing } from 'lit';
import { Loader, PageElement } from '../base.js';
import { get } from '../api.js';
import { endpoint, mongoUri, needsLogin } from '../addresses.js';
import { ROOT } from '../router.js';
import { cosmosSamples, mongoSamples } from '../samples.js';
import '../elements/m-copy.js';

const MASK = 'YOUR_KEY';

/** Connection strings, and a short program for each driver and SDK. */
class Connect extends PageElement {
  static properties = { mongoLanguage: { state: true }, cosmosLanguage: { state: true } };

  constructor() {
    super();
    this.mongoLanguage = 'mongosh';
    this.cosmosLanguage = 'Java';
    this.loader = new Loader(this, (signal) => get('/connect', signal));
  }

  connectedCallback() {
    super.connectedCallback();
    this.loader.run();
  }

  render() {
    const value = this.loader.value;
    return html`<div class="page-head"><h1 tabindex="-1">Connect</h1></div>
      <div class="stack">${this.loader.render()}
        ${value?.mongo ? this.mongo(value.mongo) : nothing}
        ${value?.cosmos ? this.cosmos(value.cosmos) : nothing}</div>`;
  }

  mongo(door) {
    const uri = mongoUri(door);
    const needed = needsLogin(door);
    return html`<section class="card"><h2>MongoDB drivers, Compass, mongosh</h2>
      <m-copy name="connection string" text=${uri}></m-copy>
      ${needed ? html`<p class="muted">This server wants a login:
        <a href="${ROOT}server/users">add a user</a>.</p>` : nothing}
      ${this.languages('mongoLanguage', mongoSamples({ uri }), 'MongoDB')}</section>`;
  }

  cosmos(door) {
    const address = endpoint(door);
    const key = door.wellKnownKey ?? MASK;
    return html`<section class="card"><h2>Azure Cosmos DB SDKs (API for NoSQL)</h2>
      <dl class="facts"><dt>Endpoint</dt><dd><m-copy name="endpoint" text=${address}></m-copy></dd>
        <dt>Key</dt><dd>${door.wellKnownKey ? html`<m-copy name="key" text=${key}></m-copy>
          <p class="hint">The well-known key of the emulator.</p>`
          : html`a key of its own: <a href="${ROOT}server/key">show it</a>`}</dd>
        <dt>Mode</dt><dd>gateway</dd>
        <dt>Certificate</dt><dd>${door.ownCertificate
          ? 'self-signed by the server; programs must accept it, as shown below'
          : 'of the setting tls'}</dd></dl>
      ${this.languages('cosmosLanguage', cosmosSamples({ endpoint: address, key,
        trusted: !door.ownCertificate }), 'Cosmos DB')}</section>`;
  }

  languages(property, samples, door) {
    const chosen = samples.find((each) => each.name === this[property]) ?? samples[0];
    return html`<div class="group row" role="group" aria-label="Language for ${door}">
        ${samples.map(({ name }) => html`<button aria-pressed=${name ===
          chosen.name ? 'true' : 'false'}
          @click=${() => { this[property] = name; }}>${name}</button>`)}</div>
      <m-copy name="${chosen.name} program" text=${chosen.code}></m-copy>`;
  }
}

customElements.define('m-connect', Connect);
