import { html, nothing } from 'lit';
import { Loader, PageElement } from '../base.js';
import { mongo, raw } from '../commands.js';
import { count } from '../format.js';
import { say, sayError } from '../messages.js';

/** Operations of MongoDB clients that run now; each can be stopped. */
class Running extends PageElement {
  static properties = { writable: { type: Boolean } };

  constructor() {
    super();
    this.loader = new Loader(this, (signal) => this.read(signal), 2000);
  }

  connectedCallback() {
    super.connectedCallback();
    this.loader.run();
  }

  async read(signal) {
    const { reply } = await mongo('admin', { currentOp: 1 }, undefined, signal);
    return JSON.parse(reply).inprog.filter((each) => each.active !==
      false && !each.command?.currentOp);
  }

  async stop(operation) {
    try {
      await mongo('admin', { killOp: 1, op: raw(JSON.stringify(operation.opid)) });
      say('The operation will stop.');
      this.loader.run();
    } catch (error) {
      sayError(error);
    }
  }

  render() {
    const rows = this.loader.value ?? [];
    return html`<div class="stack">${this.loader.render()}
      ${this.loader.value && rows.length === 0 ? html`<div class="card empty"><p>No operation of a
        MongoDB client is running.</p></div>` : nothing}
      ${rows.length > 0 ? html`<div class="table-box" tabindex="0" role="region"
          aria-label="Running operations"><table>
          <thead><tr><th scope="col">Operation</th><th scope="col">Collection</th>
            <th scope="col" class="nums">ms</th><th scope="col">Command</th>
            <th scope="col"><span class="unseen">Actions</span></th></tr></thead>
          <tbody>${rows.map((row) => html`<tr><td>${row.op}</td><td class="wrap">${row.ns}</td>
            <td class="nums">${count(millis(row))}</td>
            <td><code class="wrap">${JSON.stringify(row.command ?? {}).slice(0, 200)}</code></td>
            <td><button class="small danger" ?disabled=${!this.writable}
              @click=${() => this.stop(row)}>Stop</button></td></tr>`)}</tbody></table></div>`
        : nothing}
    </div>`;
  }
}

function millis(row) {
  const micros = row.microsecs_running;
  return Math.round(Number(micros?.$numberLong ?? micros ?? 0) / 1000);
}

customElements.define('m-running', Running);
