import { html, nothing } from 'lit';
import { Loader, PageElement } from '../base.js';
import { post } from '../api.js';
import { about } from '../commands.js';
import { bytes, count, counted, toDate, when } from '../format.js';
import { greatest, ruleName } from '../texts.js';
import '../elements/m-bars.js';

const SPANS = [
  { name: 'minute', bucketSeconds: 60, buckets: 60, words: 'the next hour, by minute' },
  { name: 'hour', bucketSeconds: 3600, buckets: 48, words: 'the next two days, by hour' },
  { name: 'day', bucketSeconds: 86400, buckets: 60, words: 'the next 60 days, by day' },
  { name: 'week', bucketSeconds: 604800, buckets: 52, words: 'the next year, by week' },
];
const MEASURES = [['documents', 'Documents'], ['bytes', 'Bytes']];

/** What expires when: bars stacked by rule, the greatest in words, and a table. */
class ForecastPage extends PageElement {
  static properties = {
    collection: { attribute: false },
    span: { state: true },
    measure: { state: true },
  };

  constructor() {
    super();
    this.span = SPANS[1];
    this.measure = 'documents';
    this.forecast = new Loader(this, (signal) => this.read(signal), 30000);
    this.moved = () => this.forecast.run();
  }

  connectedCallback() {
    super.connectedCallback();
    window.addEventListener('clock-moved', this.moved);
    this.forecast.run();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    window.removeEventListener('clock-moved', this.moved);
  }

  async read(signal) {
    const { bucketSeconds, buckets } = this.span;
    const answer = await post(about(this.collection, 'forecast'), { bucketSeconds, buckets,
      maxMillis: 2000 }, signal);
    return { ...answer, span: this.span };
  }

  choose(span) {
    this.span = span;
    this.forecast.run();
  }

  render() {
    const toggle = (active, label, act) => html`<button aria-pressed=${active ? 'true' : 'false'}
      @click=${act}>${label}</button>`;
    return html`<div class="stack"><div class="row wide">
        <div class="group" role="group" aria-label="Width of a bar">${SPANS.map((span) => toggle(
          span === this.span, span.name, () => this.choose(span)))}</div>
        <div class="group" role="group" aria-label="Measure">${MEASURES.map(([name, label]) =>
          toggle(
          name === this.measure, label, () => { this.measure = name; }))}</div></div>
      ${this.forecast.render()}
      ${this.forecast.value ? this.card(this.forecast.value) : nothing}</div>`;
  }

  card(forecast) {
    const unit = this.measure === 'bytes' ? bytes : count;
    const rules = [...new Set(forecast.buckets.flatMap((each) => Object.keys(each.byRule)))].sort();
    let from = toDate(forecast.now);
    const bars = forecast.buckets.map((bucket) => {
      const start = from;
      from = toDate(bucket.until);
      return { label: axis(start, forecast.span), title: `${when(start)} to ${when(from)}`,
        value: bucket[this.measure],
        parts: Object.fromEntries(rules.map((rule) =>
          [rule, bucket.byRule[rule]?.[this.measure] ?? 0])) };
    });
    const total = bars.reduce((sum, bar) => sum + bar.value, 0);
    const least = forecast.complete ? '' : 'At least ';
    return html`<section class="card">
      <h2>${least}${this.measure === 'bytes' ? bytes(total) : counted(total, 'document')} will
        expire
        in ${forecast.span.words}</h2>
      <p class="muted">${greatest(bars, (bar) => `from ${bar.title}`)}
        ${forecast.complete ? html`${forecast.later?.documents
          ? `${count(forecast.later.documents)} expire later. ` : ''}${forecast.never
          ? `${count(forecast.never)} never expire.` : ''}`
        : html`<strong class="warn-text">Counting was cut off: numbers are exact until
          ${when(toDate(forecast.exactUntil))}, later bars may be higher.</strong>`}</p>
      <m-bars label="Forecast: ${this.measure} that expire in ${forecast.span.words}" .bars=${bars}
        .series=${rules.map((rule) => ({ name: rule, label: ruleName(rule) }))} .unit=${unit}>
          </m-bars>
    </section>`;
  }
}

function axis(date, { name }) {
  const two = (number) => String(number).padStart(2, '0');
  return name === 'minute' || name === 'hour' ? `${two(date.getHours())}:${two(date.getMinutes())}`
    : new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric' }).format(date);
}

customElements.define('m-forecast', ForecastPage);
