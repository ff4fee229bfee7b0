import { html } from 'lit';
import { PageElement } from '../base.js';
import { say, sayError } from '../messages.js';

/** Code with a button that copies it. */
class Copy extends PageElement {
  static properties = {
    text: { type: String },
    shown: { type: String },
    name: { type: String },
  };

  async copy() {
    try {
      await navigator.clipboard.writeText(this.text);
      say('Copied.');
    } catch {
      sayError(new Error('The browser did not allow copying. Select the text and copy it.'));
    }
  }

  render() {
    return html`<div class="copy"><pre class=${this.text?.includes('\n') ? 'lines' : ''}
      tabindex="0" role="region" aria-label=${this.name ?? 'Code'}
      ><code>${this.shown ?? this.text}</code></pre>
      <button class="small" @click=${this.copy} aria-label="Copy ${this.name ?? ''}">Copy</button>
    </div>`;
  }
}

customElements.define('m-copy', Copy);
