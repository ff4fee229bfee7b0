import { html, nothing } from 'lit';
import { PageElement } from '../base.js';
import { post } from '../api.js';
import '../elements/m-copy.js';

/** Backup to a directory of the server. */
class Backup extends PageElement {
  static properties = { writable: { type: Boolean }, busy: { state: true }, done: { state: true },
    problem: { state: true } };

  async start(event) {
    event.preventDefault();
    this.busy = true;
    this.done = this.problem = undefined;
    try {
      this.done = await post('/backup', { directory: new FormData(event.target).get('directory') });
    } catch (error) {
      this.problem = error.message;
    } finally {
      this.busy = false;
    }
  }

  render() {
    return html`<section class="card"><h2>Back up everything</h2>
      <p class="muted">The server copies all data to a new directory on its machine while it
        runs.</p>
      <form class="row" @submit=${this.start}><div class="field wide grow">
        <label for="backup-directory">Directory on the server</label>
        <input id="backup-directory" name="directory" required placeholder="/backups/monday"
          autocomplete="off"></div>
        <button class="primary" ?disabled=${this.busy || !this.writable}>Back up</button></form>
      ${this.busy ? html`<p role="status">Copying…</p>` : nothing}
      ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
      ${this.done ? html`<p class="ok-text" role="status">Copied to ${this.done.directory}.</p>
        <p>Restore it with:</p><m-copy name="restore command"
          text="mayfly restore ${this.done.directory} --data restored"></m-copy>` : nothing}
    </section>`;
  }
}

customElements.define('m-backup', Backup);
