import { LitElement, html, nothing } from 'lit';
import { events, isConnected } from './api.js';

/** Element that renders into the page itself: one style sheet, and labels work across elements. */
export class PageElement extends LitElement {
  createRenderRoot() {
    return this;
  }

  /**
   * Sends an event to the elements around this one.
   * @param {string} name
   * @param {unknown} [detail]
   */
  fire(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
  }
}

const QUIET_MILLIS = 150;

/**
 * Result of a request that an element shows: value, error, or "loading" after 150 ms.
 * A new run replaces an older one. Polling stops while the tab is out of sight or the server does
 * not answer; what failed runs again after a login or a reconnection.
 */
export class Loader {
  /**
   * @param {LitElement} host
   * @param {(signal: AbortSignal) => Promise<unknown>} work
   * @param {number} [everyMillis] repeats the request while the element is in sight
   */
  constructor(host, work, everyMillis) {
    this.host = host;
    this.work = work;
    this.everyMillis = everyMillis;
    this.value = undefined;
    this.error = undefined;
    this.slow = false;
    this.busy = false;
    this.back = () => this.error && this.run();
    host.addController(this);
  }

  hostConnected() {
    events.addEventListener('back', this.back);
    if (this.everyMillis) {
      this.timer = setInterval(() => this.poll(), this.everyMillis);
    }
  }

  hostDisconnected() {
    events.removeEventListener('back', this.back);
    clearInterval(this.timer);
    this.abort?.abort();
  }

  poll() {
    if (document.visibilityState === 'visible' && isConnected() && !this.busy) {
      this.run();
    }
  }

  clear() {
    this.abort?.abort();
    this.value = undefined;
    this.error = undefined;
  }

  async run() {
    this.abort?.abort();
    const abort = new AbortController();
    this.abort = abort;
    this.busy = true;
    const slow = setTimeout(() => this.changed({ slow: true }), QUIET_MILLIS);
    try {
      const value = await this.work(abort.signal);
      if (this.abort === abort) {
        this.changed({ value, error: undefined });
      }
    } catch (error) {
      if (this.abort === abort && error.name !== 'AbortError') {
        this.changed({ error });
      }
    } finally {
      clearTimeout(slow);
      if (this.abort === abort) {
        this.changed({ slow: false, busy: false });
      }
    }
    return this.value;
  }

  changed(state) {
    Object.assign(this, state);
    this.host.requestUpdate();
  }

  /** Returns the quiet line or the error with "Try again"; nothing if all is well. */
  render() {
    if (this.error) {
      return html`<div class="card danger" role="alert">
        <p class="wrap">${this.error.message}</p>
        <div><button @click=${() => this.run()}>Try again</button></div>
      </div>`;
    }
    return this.value === undefined && this.slow
      ? html`<p class="quiet" role="status">Loading…</p>` : nothing;
  }
}

const SMALLEST_CHART = 280;

/** Width of an element, for drawings whose texts must not be scaled. */
export class Measure {
  /** @param {LitElement} host */
  constructor(host) {
    this.host = host;
    this.width = 720;
    host.addController(this);
  }

  hostConnected() {
    this.observer = new ResizeObserver(([entry]) => {
      const width = Math.max(SMALLEST_CHART, Math.round(entry.contentRect.width));
      if (width !== this.width) {
        this.width = width;
        this.host.requestUpdate();
      }
    });
    this.observer.observe(this.host);
  }

  hostDisconnected() {
    this.observer.disconnect();
  }
}
