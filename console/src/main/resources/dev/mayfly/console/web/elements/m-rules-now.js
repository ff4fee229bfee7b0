import { html, nothing } from 'lit';
import { PageElement } from '../base.js';
import { bytes, count, counted, duration, toDate } from '../format.js';
import { shownKey } from '../keytext.js';
import { ruleName, ruleSentences } from '../texts.js';
import './m-countdown.js';

/** The rules in sentences; documents that each governs; documents that never expire, and why. */
class RulesNow extends PageElement {
  static properties = { health: { attribute: false }, rules: { attribute: false } };

  render() {
    const { health } = this;
    const governed = health.rules ?? [];
    const sentences = this.rules ? ruleSentences(this.rules,
      governed.find(({ rule }) => rule === 'own')?.documents,
      new Map(governed.map(({ rule, sentence }) => [rule, sentence]))) : [];
    return html`<div class="stack">
      <ul class="stack tight">${sentences.map((each) => html`<li>${coded(each)}</li>`)}</ul>
      ${health.builds?.map((build) => html`<p class="warn-text">${build.what} is being built:
        ${Math.round(build.percent ?? 0)} %. Until then numbers may be missing.</p>`)}
      ${health.rules?.length ? this.table(health.rules) : nothing}
      ${this.never(health.never)}
      ${health.backlog?.documents ? html`<p class="muted">${counted(health.backlog.documents,
        'document')} expired and not swept yet (${bytes(health.backlog.bytes)}).</p>` : nothing}
    </div>`;
  }

  time({ rule, seconds }) {
    const known = { default: this.rules?.default, id: this.rules?.id }[rule]
      ?? this.rules?.indexes?.[rule.replace('index:', '')] ?? seconds;
    if (rule === 'own' || known === undefined || known < 0) {
      return 'as each document states';
    }
    return known === 0 ? 'at the date' : duration(known);
  }

  table(rules) {
    return html`<div class="table-box" tabindex="0" role="region" aria-label="Rules now"><table>
      <thead><tr><th scope="col">Rule</th><th scope="col">Time</th>
        <th scope="col" class="nums">Documents</th>
        <th scope="col" class="nums">Bytes</th><th scope="col">Next deadline</th></tr></thead>
      <tbody>${rules.map((rule) => html`<tr><th scope="row">${ruleName(rule.rule)}</th>
        <td>${this.time(rule)}</td>
        <td class="nums">${count(rule.documents)}</td><td class="nums">${bytes(rule.bytes)}</td>
        <td>${rule.next ? html`<m-countdown exact .at=${toDate(rule.next)}></m-countdown>`
          : 'none'}</td>
      </tr>`)}</tbody></table></div>`;
  }

  never(never) {
    if (!never || (!never.documents && !never.reasons?.length)) {
      return html`<p class="ok-text">Every document has a deadline.</p>`;
    }
    return html`<div class="stack tight">
      <h3>${never.documents === undefined ? 'Documents that never expire'
        : `${counted(never.documents, 'document')} never expire${never.documents === 1 ? 's' : ''}`}
      </h3>
      ${never.exact ? nothing : html`<p class="hint">Reasons of ${count(never.sampled)} sampled
        documents:</p>`}
      <ul class="stack tight">${(never.reasons ?? []).map((reason) => html`<li>
        ${count(reason.documents)} × ${coded(reason.why)}
        ${(reason.keys ?? []).map((key) => html` <button class="small mono"
          @click=${() => this.fire('look', key)}>${shownKey(key)}</button>`)}</li>`)}</ul>
    </div>`;
  }
}

/** Sentence with parts in `backticks` as code. @param {string} sentence */
function coded(sentence) {
  return sentence.split('`').map((part, i) => (i % 2 ? html`<code>${part}</code>` : part));
}

customElements.define('m-rules-now', RulesNow);
