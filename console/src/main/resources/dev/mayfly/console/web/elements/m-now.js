import { html } from 'lit';
import { PageElement } from '../base.js';
import { everySecond, now } from '../clock.js';
import { iso, when } from '../format.js';

/** The server's time, in the zone of the browser. */
class Now extends PageElement {
  connectedCallback() {
    super.connectedCallback();
    this.stop = everySecond(() => this.requestUpdate());
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.stop();
  }

  render() {
    const time = new Date(now());
    return html`<time datetime=${iso(time)} title="Time of the server: ${iso(time)}"
      >${when(time)}</time>`;
  }
}

customElements.define('m-now', Now);
