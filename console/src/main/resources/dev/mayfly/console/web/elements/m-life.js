import { html, nothing } from 'lit';
import { PageElement } from '../base.js';
import { now } from '../clock.js';
import { ask } from '../dialogs.js';
import { NotWritten, setField, shownWrite } from '../fields.js';
import { iso, toDate, when } from '../format.js';
import { mongo } from '../commands.js';
import { say } from '../messages.js';
import { TEXTS, isContainer, ruleName } from '../texts.js';
import './m-countdown.js';

/** When and why a document expires, and three ways to change that. Event: `written`. */
class Life extends PageElement {
  static properties = {
    collection: { attribute: false },
    life: { attribute: false },
    key: { attribute: false },
    writable: { type: Boolean },
    edited: { type: Boolean },
  };

  /** The write that gives the document a deadline; undefined if no rule can do that. */
  async write(deadline) {
    const { rules } = this.collection;
    const [index, seconds] = Object.entries(rules.indexes ?? {})[0] ?? [];
    if (rules.default !== undefined && !rules.property) {
      const left = deadline === undefined ? -1 : Math.max(1, Math.ceil((deadline - now()) / 1000));
      return { field: 'ttl', value: String(left) };
    }
    if (index && !isContainer(this.collection)) {
      const { documents } = await mongo(this.collection.database,
        { listIndexes: this.collection.collection });
      const found = documents.map((text) => JSON.parse(text)).find((each) => each.name === index);
      const field = Object.keys(found.key)[0];
      const date = deadline === undefined ? undefined
        : `{"$date":"${new Date(deadline - seconds * 1000).toISOString()}"}`;
      return { field, value: date };
    }
    throw new Error('No rule of this collection can give this document a deadline.');
  }

  async change(title, deadline) {
    try {
      const { field, value } = await this.write(deadline);
      const done = await ask({ title, action: 'Write', body: html`<p>This writes:</p>
        <pre class="copy">${shownWrite(this.collection, field, value)}</pre>`,
        act: () => setField(this.collection, this.key, field, value, this.life.version)
          .catch((error) => this.refused(error)) });
      if (done) {
        say('Written.');
        this.fire('written');
      }
    } catch (error) {
      say(error.message, { error: true });
    }
  }

  /** Shows the document as it is now, below the dialog that shows why it was not written. */
  refused(error) {
    if (error instanceof NotWritten) {
      this.fire('written');
    }
    throw error;
  }

  async until() {
    const chosen = await ask({ title: 'Live until…', action: 'Next', body: (values, set) => html`
      <div class="field"><label for="live-until">Deadline</label><input id="live-until" required
        type="datetime-local" step="1" @input=${(event) => set('at', event.target.value)}></div>`,
      act: ({ at }) => new Date(at) });
    if (chosen) {
      this.change(`Live until ${when(chosen)}`, chosen.getTime());
    }
  }

  render() {
    const { life } = this;
    const written = toDate(life.writtenAt);
    return html`<div class="stack tight">
      <dl class="facts">
        <dt>Expires</dt><dd>${life.deadline
          ? html`<m-countdown exact .at=${toDate(life.deadline)}></m-countdown>, by
            ${ruleName(life.rule)}`
          : html`never: ${(life.why ?? 'no rule applies').replaceAll('`', '')}`}</dd>
        ${written ? html`<dt>Last write</dt><dd><time datetime=${iso(written)} title=${iso(written)}
          >${when(written)}</time></dd>` : nothing}
      </dl>
      ${(life.rules?.length ?? 0) > 1 ? html`<details><summary class="small">Each rule</summary>
        <ul>${life.rules.map((rule) => html`<li class="small">${ruleName(rule.rule)}:
          ${rule.deadline
          ? html`<m-countdown exact .at=${toDate(rule.deadline)}></m-countdown>`
          : (rule.why ?? 'never').replaceAll('`', '')}</li>`)}</ul></details>` : nothing}
      ${this.writable ? html`<div class="row">
        <button class="small" ?disabled=${this.edited} @click=${this.until}>Live until…</button>
        <button class="small" ?disabled=${this.edited}
          @click=${() => this.change('Never expire', undefined)}>Never expire…</button>
        <button class="small" ?disabled=${this.edited}
          @click=${() => this.change('Expire now', now())}>Expire now…</button>
        ${this.edited ? html`<span class="hint">${TEXTS.editedLife}</span>` : nothing}
      </div>` : nothing}
    </div>`;
  }
}

customElements.define('m-life', Life);
