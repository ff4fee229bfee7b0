import { html, nothing, svg } from 'lit';
import { Measure, PageElement } from '../base.js';
import { count } from '../format.js';

const HEIGHT = 220;
const LEFT = 52;
const BOTTOM = 24;

/** Round number at or above the greatest value, for the axis. */
export function ceiling(value) {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  return [1, 2, 5, 10].map((each) => each * power).find((each) => each >= value) ?? 1;
}

/**
 * Bar chart, stacked by series. Each bar has a text; the same numbers are in a table below.
 *
 * bars: [{label, title, parts: {series: number}}]; series: [{name, label}].
 */
class Bars extends PageElement {
  static properties = {
    bars: { attribute: false },
    series: { attribute: false },
    label: { type: String },
    unit: { attribute: false },
    first: { type: String },
  };

  constructor() {
    super();
    this.bars = [];
    this.series = [];
    this.unit = count;
    this.measure = new Measure(this);
  }

  total(bar) {
    return Object.values(bar.parts).reduce((sum, each) => sum + each, 0);
  }

  render() {
    const top = ceiling(Math.max(1, ...this.bars.map((bar) => this.total(bar))));
    const step = (this.measure.width - LEFT) / Math.max(1, this.bars.length);
    const scale = (HEIGHT - BOTTOM - 8) / top;
    return html`<figure class="chart">
      <svg viewBox="0 0 ${this.measure.width} ${HEIGHT}" role="img" aria-label=${this.label}>
        ${[0, 0.5, 1].map((part) => this.gridLine(part, top, scale))}
        ${this.bars.map((bar, i) => this.bar(bar, LEFT + i * step, step, scale))}
        ${this.labels(step)}
      </svg>
      ${this.legend()}
      ${this.table()}
    </figure>`;
  }

  gridLine(part, top, scale) {
    const y = HEIGHT - BOTTOM - part * top * scale;
    return svg`<line class="axis" x1=${LEFT} x2=${this.measure.width} y1=${y} y2=${y}></line>
      <text x=${LEFT - 6} y=${y + 4} text-anchor="end">${this.unit(part * top)}</text>`;
  }

  bar(bar, x, step, scale) {
    let y = HEIGHT - BOTTOM;
    const gap = step > 6 ? 2 : step > 3 ? 1 : 0;
    const parts = this.series.map((series, i) => {
      const height = (bar.parts[series.name] ?? 0) * scale;
      y -= height;
      return height === 0 ? nothing : svg`<rect class="fill-${(i % 6) + 1}" x=${x + gap / 2} y=${y}
        width=${Math.max(1, step - gap)} height=${height}></rect>`;
    });
    return svg`<g>${parts}<rect class="hover" x=${x} y="0" width=${step} height=${HEIGHT - BOTTOM}>
      <title>${bar.title ?? bar.label}: ${this.unit(this.total(bar))}</title></rect></g>`;
  }

  labels(step) {
    const every = Math.max(1, Math.ceil(76 / step));
    return this.bars.map((bar, i) => (i % every === 0 && LEFT + i * step < this.measure.width - 30
      ? svg`<text x=${LEFT + i * step} y=${HEIGHT - 6}>${bar.label}</text>` : nothing));
  }

  legend() {
    return this.series.length < 2 ? nothing : html`<ul class="legend">
      ${this.series.map((series, i) => html`<li><svg viewBox="0 0 20 12" aria-hidden="true">
        <rect class="fill-${(i % 6) + 1}" width="20" height="12" rx="2"></rect></svg>
        ${series.label}</li>`)}</ul>`;
  }

  table() {
    const filled = this.bars.filter((bar) => this.total(bar) > 0);
    return html`<details><summary class="small">The same as a table</summary>
      <div class="table-box" tabindex="0" role="region" aria-label="${this.label}, table"><table>
        <thead><tr><th scope="col">${this.first ?? 'Time'}</th>
          ${this.series.map((series) => html`<th scope="col" class="nums">${series.label}</th>`)}
          ${this.series.length > 1 ? html`<th scope="col" class="nums">Total</th>` : nothing}
        </tr></thead>
        <tbody>${filled.map((bar) => html`<tr><th scope="row">${bar.title ?? bar.label}</th>
          ${this.series.map((each) => html`<td class="nums">${this.unit(bar.parts[each.name] ?? 0)}
            </td>`)}
          ${this.series.length > 1 ? html`<td class="nums">${this.unit(this.total(bar))}</td>`
            : nothing}</tr>`)}
          ${filled.length === 0 ? html`<tr><td colspan="9">Nothing.</td></tr>` : nothing}</tbody>
      </table></div></details>`;
  }
}

customElements.define('m-bars', Bars);
