import { html } from 'lit';
import { PageElement } from '../base.js';

const STEP = 16;

/**
 * Handle between two panes: moved by mouse, by arrow keys, to the ends by Home and End; a double
 * click or Enter restores the first width. The width is a CSS variable of the page.
 */
class Splitter extends PageElement {
  static properties = {
    label: { type: String },
    variable: { type: String },
    least: { type: Number },
    most: { type: Number },
    standard: { type: Number },
    reverse: { type: Boolean },
    width: { state: true },
  };

  constructor() {
    super();
    this.label = 'Width';
    this.least = 200;
    this.most = 900;
    this.standard = 480;
    this.reverse = false;
  }

  now() {
    const pane = this.reverse ? this.nextElementSibling : this.parentElement;
    return this.width ?? Math.round(pane?.getBoundingClientRect().width ?? this.standard);
  }

  set(width) {
    this.width = Math.round(Math.max(this.least, Math.min(this.most, width)));
    document.documentElement.style.setProperty(this.variable, `${this.width}px`);
  }

  reset() {
    this.width = undefined;
    document.documentElement.style.removeProperty(this.variable);
  }

  pressed(event) {
    const away = this.reverse ? -STEP : STEP;
    const to = { ArrowRight: this.now() + away, ArrowLeft: this.now() - away, Home: this.least,
      End: this.most }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      this.set(to);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      this.reset();
    }
  }

  grabbed(event) {
    if (event.button === 0) {
      event.preventDefault();
      event.target.setPointerCapture(event.pointerId);
      this.from = { x: event.clientX, width: this.now() };
    }
  }

  dragged(event) {
    if (this.from) {
      const way = event.clientX - this.from.x;
      this.set(this.from.width + (this.reverse ? -way : way));
    }
  }

  render() {
    const width = this.width ?? this.standard;
    return html`<div class="splitter" role="separator" tabindex="0" aria-orientation="vertical"
      aria-label=${this.label} aria-valuenow=${width} aria-valuemin=${this.least}
      aria-valuemax=${this.most} aria-valuetext="${width} pixels"
      title="${this.label}: drag, or arrow keys" @keydown=${this.pressed}
      @pointerdown=${this.grabbed} @pointermove=${this.dragged}
      @pointerup=${() => { this.from = undefined; }}
      @pointercancel=${() => { this.from = undefined; }} @dblclick=${this.reset}></div>`;
  }
}

customElements.define('m-splitter', Splitter);
