import { html, nothing } from 'lit';
import { PageElement } from '../base.js';
import { post } from '../api.js';
import { about } from '../commands.js';
import { ask } from '../dialogs.js';
import { bytes, counted, toDate } from '../format.js';
import { say } from '../messages.js';
import { ruleSentences, rulesInShort } from '../texts.js';
import './m-countdown.js';

/** Card while a change of rules can be undone. Event: `undone`. */
class Undo extends PageElement {
  static properties = {
    collection: { attribute: false },
    undoable: { attribute: false },
    change: { attribute: false },
    writable: { type: Boolean },
  };

  async undo() {
    const { undoable } = this;
    const done = await ask({ title: 'Undo the last change of the rules?', action: 'Undo',
      body: html`<p>${counted(undoable.documents, 'document')} will be visible again. The rules will
        be:</p><ul class="stack tight">${ruleSentences(undoable.to).map((each) => html`<li>
        ${each.replaceAll('`', '')}</li>`)}</ul>`,
      act: () => post(about(this.collection, 'undo')) });
    if (done) {
      say(`The change was undone: ${counted(done.back, 'document')} returned.`);
      this.fire('undone');
    }
  }

  render() {
    const { undoable } = this;
    if (!undoable?.possible) {
      return nothing;
    }
    return html`<section class="card warn" aria-label="Undo">
      <div class="row between"><div><h2>The last change can be undone</h2>
        <p>${this.change ? html`From ${rulesInShort(this.change.from ?? {})} to
          ${rulesInShort(this.change.to ?? {})}${this.change.expired === undefined ? ''
            : `, which expired ${counted(this.change.expired, 'document')}`}. ` : nothing}
          ${counted(undoable.documents, 'document')}
          (${bytes(undoable.bytes)}) would return. Changed <m-countdown exact
          .at=${toDate(undoable.changedAt)}></m-countdown>; possible until <m-countdown exact
          .at=${toDate(undoable.until)}></m-countdown>.</p></div>
        ${this.writable ? html`<button class="primary" @click=${this.undo}>Undo…</button>` :
          nothing}
      </div></section>`;
  }
}

customElements.define('m-undo', Undo);
