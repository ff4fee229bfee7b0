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
        <p class="hint">Expired documents stay invisible during a pause.</p>` : nothing}
      </section></div>`;
  }

  hour({ points }) {
    const sum = (parts) => Object.values(parts ?? {}).reduce((total, each) => total + each, 0);
    const top = (parts) => Math.max(0, ...Object.values(parts ?? {}));
    const charts = [
      ['Operations in 10 s', (point) => sum(point.operations), count],
      ['Refused in 10 s', (point) => sum(point.refused), count],
      ['Slowest 1 % (99th percentile)', (point) => top(point.p99Micros) / 1000,
        (value) => `${count(value)} ms`],
      ['Documents swept', (point) => point.swept ?? 0, count],
      ['Sweep lag', (point) => (point.lagMillis ?? 0) / 1000, (value) => `${count(value)} s`],
      ['Heap', (point) => point.heapUsed ?? 0, bytes],
    ];
    const shown = condensed(points);
    return html`<h2>The last hour</h2><div class="columns">${charts.map(([label, value, unit]) =>
      html`
      <section class="card"><h3>${label}</h3><m-bars label="${label}, the last hour" .unit=${unit}
        .bars=${shown.map((point) => bar(point, value(point)))}
        .series=${[{ name: 'value', label }]}></m-bars></section>`)}</div>`;
  }
}

/** At most 120 bars: every n-th point. */
function condensed(points) {
  const every = Math.max(1, Math.ceil(points.length / 120));
  return points.filter((_, i) => i % every === 0);
}

function bar(point, value) {
  const at = toDate(point.at);
  const two = (number) => String(number).padStart(2, '0');
  return { label: `${two(at.getHours())}:${two(at.getMinutes())}`, title: when(at), parts: {
    value } };
}

customElements.define('m-health', Health);
