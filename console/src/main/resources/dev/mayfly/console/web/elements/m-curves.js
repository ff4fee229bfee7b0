import { html, nothing, svg } from 'lit';
import { Measure, PageElement } from '../base.js';
import { count } from '../format.js';
import { ceiling } from './m-bars.js';

const HEIGHT = 200;
const LEFT = 52;
const BOTTOM = 24;

/**
 * Lines over time; each also differs by its dashes. The same numbers are in a table below.
 *
 * points: [{label, title}]; lines: [{label, values: number[]}], at most two.
 */
class Curves extends PageElement {
  static properties = {
    points: { attribute: false },
    lines: { attribute: false },
    label: { type: String },
    unit: { attribute: false },
  };

  constructor() {
    super();
    this.points = [];
    this.lines = [];
    this.unit = count;
    this.measure = new Measure(this);
  }

  render() {
    const top = ceiling(Math.max(1, ...this.lines.flatMap((line) => line.values)));
    const x = (i) => LEFT + (i * (this.measure.width - LEFT)) / Math.max(1, this.points.length - 1);
    const y = (value) => HEIGHT - BOTTOM - (value / top) * (HEIGHT - BOTTOM - 8);
    const every = Math.max(1, Math.ceil(this.points.length / 7));
    return html`<figure class="chart">
      <svg viewBox="0 0 ${this.measure.width} ${HEIGHT}" role="img" aria-label=${this.label}>
        ${[0, 0.5, 1].map((part) => svg`
          <line class="axis" x1=${LEFT} x2=${this.measure.width} y1=${y(part * top)} y2=${y(part *
            top)}></line>
          <text x=${LEFT - 6} y=${y(part * top) + 4} text-anchor="end">${this.unit(part * top)}
          </text>`)}
        ${this.lines.map((line, n) => svg`<polyline class="line-${n + 1}"
          points=${line.values.map((value, i) => `${x(i)},${y(value)}`).join(' ')}></polyline>`)}
        ${this.points.map((point, i) => (i % every === 0 && x(i) < this.measure.width - 30
          ? svg`<text x=${x(i)} y=${HEIGHT - 6}>${point.label}</text>` : nothing))}
        ${this.points.map((point, i) => svg`<rect class="hover" x=${x(i - 0.5)} y="0"
          width=${x(1) - x(0)} height=${HEIGHT - BOTTOM}><title>${point.title}: ${this.lines
            .map((line) => `${line.label} ${this.unit(line.values[i])}`).join(', ')}</title>
              </rect>`)}
      </svg>
      <ul class="legend">${this.lines.map((line, n) => html`<li>
        <svg viewBox="0 0 20 12" aria-hidden="true"><line class="line-${n + 1}" x1="0" y1="6"
          x2="20" y2="6"></line></svg>${line.label}</li>`)}</ul>
      <details><summary class="small">The same as a table</summary>
        <div class="table-box" tabindex="0" role="region" aria-label="${this.label}, table"><table>
          <thead><tr><th scope="col">Time</th>${this.lines.map((line) => html`
            <th scope="col" class="nums">${line.label}</th>`)}</tr></thead>
          <tbody>${this.points.map((point, i) => html`<tr><th scope="row">${point.title}</th>
            ${this.lines.map((line) => html`<td class="nums">${this.unit(line.values[i])}</td>`)}
          </tr>`)}</tbody>
        </table></div></details>
    </figure>`;
  }
}

customElements.define('m-curves', Curves);
