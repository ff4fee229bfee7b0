import { html, nothing } from 'lit';
import { PageElement } from '../base.js';
import { iso, toDate, when } from '../format.js';
import { changeText, rulesInShort } from '../texts.js';

/** Changes of the rules, newest first. */
class RuleHistory extends PageElement {
  static properties = { changes: { attribute: false } };

  render() {
    if (!this.changes) {
      return nothing;
    }
    if (this.changes.length === 0) {
      return html`<p class="muted">The rules have not changed since the collection was made.</p>`;
    }
    return html`<div class="table-box" tabindex="0" role="region" aria-label="History"><table>
      <thead><tr><th scope="col">When</th><th scope="col">What</th><th scope="col">From</th>
        <th scope="col">To</th><th scope="col">By</th></tr></thead>
      <tbody>${this.changes.map((change) => {
        const at = toDate(change.at);
        return html`<tr><td><time datetime=${iso(at)} title=${iso(at)}>${when(at)}</time></td>
          <td>${changeText(change)}</td><td>${rulesInShort(change.from ?? {})}</td>
          <td>${rulesInShort(change.to ?? {})}</td><td>${change.by ?? 'unknown'}</td></tr>`;
      })}</tbody></table></div>`;
  }
}

customElements.define('m-rule-history', RuleHistory);
