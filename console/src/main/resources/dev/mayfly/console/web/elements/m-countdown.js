import { html } from 'lit';
import { PageElement } from '../base.js';
import { everySecond, now } from '../clock.js';
import { iso, relative, when } from '../format.js';

/** Time until or since an instant, by the server's clock. Exact time on hover and focus. */
class Countdown extends PageElement {
  static properties = {
    at: { attribute: false },
    exact: { type: Boolean },
  };

  connectedCallback() {
    super.connectedCallback();
    this.stop = everySecond(() => this.requestUpdate());
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.stop();
  }

  render() {
    if (!this.at) {
      return '';
    }
    const text = relative(this.at.getTime() - now());
    return html`<time datetime=${iso(this.at)} title=${iso(this.at)}
      >${this.exact ? `${when(this.at)} (${text})` : text}</time>`;
  }
}

customElements.define('m-countdown', Countdown);
