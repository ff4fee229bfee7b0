import { html } from 'lit';
import { PageElement } from '../base.js';
import { TEXTS } from '../texts.js';

/** Two versions of a document; lines that differ are marked. Events: `take`, `force`. */
class Compare extends PageElement {
  static properties = { mine: { attribute: false }, theirs: { attribute: false } };

  lines(text, other) {
    const known = new Set(other.split('\n').map((line) => line.trim()));
    return text.split('\n').map((line) => (known.has(line.trim()) ? html`${line}
` : html`<mark>${line}</mark>
`));
  }

  render() {
    return html`<div class="card warn" role="alert">
      <p>${TEXTS.changed}</p>
      <div class="compare">
        <div><h3>Theirs, stored now</h3><pre tabindex="0">${this.lines(this.theirs,
          this.mine)}</pre></div>
        <div><h3>Mine, not saved</h3><pre tabindex="0">${this.lines(this.mine, this.theirs)}</pre>
          </div>
      </div>
      <div class="row"><button @click=${() => this.fire('take')}>Take theirs</button>
        <button class="danger" @click=${() => this.fire('force')}>Save mine over theirs</button>
          </div>
    </div>`;
  }
}

customElements.define('m-compare', Compare);
