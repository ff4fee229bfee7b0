import { html } from 'lit';
import { PageElement } from '../base.js';
import { everySecond, now } from '../clock.js';
import { iso, relative, when } from '../format.js';

/**
 * Time until or since an instant, by the server's clock. The instant itself is shown on hover, and
 * in the active row of a grid that has the focus of the keyboard.
 */
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
    return this.exact ? html`<time datetime=${iso(this.at)} title=${iso(this.at)}
      >${when(this.at)} (${text})</time>`
      : html`<time datetime=${iso(this.at)} title=${iso(this.at)} data-when=${when(this.at)}
        ><span>${text}</span></time>`;
  }
}

customElements.define('m-countdown', Countdown);
