import { html, nothing } from 'lit';
import { Loader, PageElement } from '../base.js';
import { get } from '../api.js';

/** Effective settings and where they come from. */
class Settings extends PageElement {
  static properties = { words: { state: true } };

  constructor() {
    super();
    this.words = '';
    this.loader = new Loader(this, (signal) => get('/settings', signal));
  }

  connectedCallback() {
    super.connectedCallback();
    this.loader.run();
  }

  render() {
    const rows = (this.loader.value?.settings ?? []).filter((each) =>
      `${each.name} ${each.description}`.toLowerCase().includes(this.words.toLowerCase()));
    return html`<div class="stack">${this.loader.render()}
      <p class="muted">Settings are changed in the file, the environment or the options of the
        server, and take effect when it starts.</p>
      <div><input data-filter type="search" placeholder="Filter" aria-label="Filter settings"
        @input=${(event) => { this.words = event.target.value; }}></div>
      ${rows.length ? html`<div class="table-box" tabindex="0" role="region" aria-label="Settings">
        <table>
        <thead><tr><th scope="col">Setting</th><th scope="col">Value</th><th scope="col">From</th>
          <th scope="col">Meaning</th></tr></thead>
        <tbody>${rows.map((each) => html`<tr><th scope="row"><code>${each.name}</code></th>
          <td class="value">${each.value}</td><td>${each.from}</td><td
            class="meaning">${each.description}</td>
            </tr>`)}
        </tbody></table></div>` : nothing}</div>`;
  }
}

customElements.define('m-settings', Settings);
