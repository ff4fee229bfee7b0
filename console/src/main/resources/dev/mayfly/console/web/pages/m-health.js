import { html, nothing } from 'lit';
import { Loader, PageElement } from '../base.js';
import { get, post } from '../api.js';
import { bytes, count, duration, toDate, when } from '../format.js';
import { sayError } from '../messages.js';
import '../elements/m-bars.js';

/** Health of the server: state now, and the last hour. */
class Health extends PageElement {
  static properties = { status: { attribute: false }, writable: { type: Boolean } };

  constructor() {
    super();
    this.history = new Loader(this, (signal) => get('/history', signal), 10000);
  }

  connectedCallback() {
    super.connectedCallback();
    this.history.run();
  }

  async sweep(verb) {
    await post(`/sweep/${verb}`).catch(sayError);
    this.fire('status-changed');
  }

  render() {
    const { status } = this;
    return html`<div class="stack">
      ${status?.alarms?.length ? html`<section class="card danger"><h2>Alarms</h2>
        <ul>${status.alarms.map((alarm) => html`<li>
          <strong>${alarm.kind}</strong> (${alarm.severity}):
          ${alarm.text}</li>`)}</ul></section>` : nothing}
      ${status?.sweep ? this.now(status) : nothing}
      ${this.history.render()}
      ${this.history.value ? this.hour(this.history.value) : nothing}</div>`;
  }

  now(status) {
    const { memory = {}, disk = {}, connections = {} } = status;
    return html`<div class="columns"><section class="card"><h2>Now</h2><dl class="facts">
        <dt>State</dt><dd class=${status.ready ? 'ok-text' : 'danger-text'}>${status.readiness}</dd>
        <dt>Version</dt><dd>${status.version}</dd>
        <dt>Running for</dt><dd>${duration(status.uptimeMillis / 1000)}</dd>
        <dt>Heap</dt><dd class="nums">${bytes(memory.heapUsed ?? 0)}
          of ${bytes(memory.heapMax ?? 0)}</dd>
        ${memory.resident ? html`<dt>Process</dt><dd class="nums">${bytes(memory.resident)}</dd>`
          : nothing}
        <dt>Disk</dt><dd class="nums">${bytes(disk.used ?? 0)} used${disk.free
          ? `, ${bytes(disk.free)} free` : ''}</dd>
        <dt>Connections</dt><dd class="nums">${Object.entries(connections).map(([door, n]) =>
          `${door} ${count(n)}`).join(', ')}</dd>
        <dt>Open cursors</dt><dd class="nums">${count(status.cursors ?? 0)}</dd>
        <dt>Open transactions</dt><dd class="nums">${count(status.transactions ?? 0)}</dd></dl>
          </section>
      <section class="card"><h2>Sweep</h2><dl class="facts">
        <dt>State</dt><dd>${status.sweep.paused ? 'paused' : 'running'}</dd>
        <dt>Lag</dt><dd>${status.sweep.lagMillis ?
          duration(status.sweep.lagMillis / 1000) : 'none'}</dd>
        <dt>Expired, not swept</dt><dd class="nums">${count(status.backlog?.documents ?? 0)}</dd>
        <dt>Swept since the start</dt><dd class="nums">${count(status.sweep.documents)} documents,
          ${bytes(status.sweep.bytes)}</dd></dl>
        ${this.writable ? html`<div>${status.sweep.paused
          ? html`<button class="primary" @click=${() => this.sweep('resume')}>Resume the
            sweep</button>`
          : html`<button @click=${() => this.sweep('pause')}>Pause the sweep</button>`}</div>
        <p class="hint">Expired documents stay invisible during a pause, but their space is not
          freed and the feed does not report them.</p>` : nothing}
      </section></div>`;
  }

  hour({ points }) {
    const groups = grouped(points);
    return html`<h2>The last hour</h2><div class="columns">${CHARTS.map(([label, name, more]) => {
      const { unit = count, of = sum, scale = 1 } = more;
      const doors = of === sum && points.some((point) => typeof point[name] === 'object');
      return html`<section class="card"><h3>${label}</h3><m-bars label="${label}, the last hour"
        .unit=${unit} .bars=${groups.map((group) => bar(group, name, of, scale))}
        .series=${doors ? DOORS : [{ name: 'value', label }]}></m-bars></section>`;
    })}</div>`;
  }
}

const sum = (values) => values.reduce((total, each) => total + each, 0);
const most = (values) => Math.max(0, ...values);
const DOORS = [{ name: 'mongo', label: 'MongoDB' }, { name: 'cosmos', label: 'Cosmos DB' }];
const one = (value) => Math.round(value * 10) / 10;

/** Label, member of a point, and how points of a bar become one: sum, or the greatest. */
const CHARTS = [
  ['Operations', 'operations', {}],
  ['Refused operations', 'refused', {}],
  ['Slowest 1 % (99th percentile)', 'p99Micros', { of: most, scale: 0.001,
    unit: (value) => `${count(one(value))} ms` }],
  ['Request units', 'requestUnits', { unit: (value) => count(one(value)) }],
  ['Documents swept', 'swept', {}],
  ['Sweep lag', 'lagMillis', { of: most, scale: 0.001,
    unit: (value) => `${count(one(value))} s` }],
  ['Size of the files', 'diskUsed', { of: most, unit: bytes }],
  ['Heap', 'heapUsed', { of: most, unit: bytes }],
];

/** At most 120 bars, each of as many points. */
function grouped(points) {
  const each = Math.max(1, Math.ceil(points.length / 120));
  return points.filter((_, i) => i % each === 0).map((_, i) => points.slice(i * each,
    (i + 1) * each));
}

function bar(group, name, of, scale) {
  const at = toDate(group[0].at);
  const two = (number) => String(number).padStart(2, '0');
  const value = (pick) => of(group.map(pick)) * scale;
  const total = (each) => (typeof each === 'object' ? of(Object.values(each)) : each ?? 0);
  return { label: `${two(at.getHours())}:${two(at.getMinutes())}`, title: when(at),
    parts: of === sum && typeof group[0][name] === 'object'
      ? Object.fromEntries(DOORS.map((door) => [door.name,
        value((point) => point[name][door.name] ?? 0)]))
      : { value: value((point) => total(point[name])) } };
}

customElements.define('m-health', Health);
