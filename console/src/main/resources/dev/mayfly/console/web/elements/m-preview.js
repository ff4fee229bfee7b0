import { html, nothing } from 'lit';
import { PageElement } from '../base.js';
import { bytes, count, share, toDate, when } from '../format.js';
import { shownKey } from '../keytext.js';
import { TEXTS, expiresAtOnce, ruleName } from '../texts.js';
import './m-curves.js';

/**
 * What a change of rules would do: number, share, by rule, examples, and the next day as it is and
 * as it would be. Event: `look` with the key of an example.
 */
class Preview extends PageElement {
  static properties = {
    preview: { attribute: false },
    current: { attribute: false },
    stale: { type: Boolean },
  };

  render() {
    const { expired, expiredBytes, documents, byRule = {}, keys = [] } = this.preview;
    return html`<div class="stack" role="status">
      ${this.stale ? html`<p class="warn-text">${TEXTS.stale}</p>` : nothing}
      <div><p class="big ${expired ? 'danger-text' : 'ok-text'}">${expired ?
        count(expired) : '0'}</p>
        <p>${expiresAtOnce(expired)} ${expired ? html`${share(expired, documents)}
          of ${count(documents)}
          live documents, ${bytes(expiredBytes)}.` : nothing}</p></div>
      ${expired ? this.byRule(byRule) : nothing}
      ${keys.length ? this.examples(keys) : nothing}
      ${this.curves()}
    </div>`;
  }

  byRule(byRule) {
    return html`<div class="table-box"><table><thead><tr><th scope="col">Rule</th>
        <th scope="col" class="nums">Documents</th><th scope="col" class="nums">Bytes</th></tr>
          </thead>
      <tbody>${Object.entries(byRule).filter(([, usage]) => usage.documents > 0)
        .map(([rule, usage]) => html`<tr><th scope="row">${ruleName(rule)}</th>
          <td class="nums">${count(usage.documents)}</td>
          <td class="nums">${bytes(usage.bytes)}</td></tr>`)}</tbody></table></div>`;
  }

  examples(keys) {
    return html`<details><summary>${keys.length === 1 ? 'One of them' : `${keys.length} of them`}
      </summary><ul class="row">${keys.map((key) => html`<li><button class="small mono"
        @click=${() => this.fire('look', key)}>${shownKey(key)}</button></li>`)}</ul></details>`;
  }

  curves() {
    const planned = this.preview.forecast;
    if (!planned || !this.current) {
      return nothing;
    }
    const start = { until: this.current.now };
    const points = [start, ...this.current.buckets].map(({ until }) => {
      const date = toDate(until);
      return { label: clock(date), title: when(date) };
    });
    const left = (from, buckets) => {
      let rest = from;
      return [rest, ...buckets.map((bucket) => (rest -= bucket.documents))];
    };
    const { documents, expired } = this.preview;
    const exact = planned.complete && this.current.complete;
    return html`<div><h3>Live documents over the next day</h3>
      ${exact ? nothing : html`<p class="hint">Counting took too long: fewer may be left.</p>`}
      <m-curves label="Live documents over the next day, as it is and as it would be"
        .points=${points} .lines=${[
          { label: 'as it is', values: left(documents, this.current.buckets) },
          { label: 'as it would be', values: left(documents - expired, planned.buckets) }]}>
      </m-curves></div>`;
  }
}

function clock(date) {
  const two = (number) => String(number).padStart(2, '0');
  return `${two(date.getHours())}:${two(date.getMinutes())}`;
}

customElements.define('m-preview', Preview);
