import { LitElement } from 'lit';
import { EditorView, keymap, lineNumbers, drawSelection, highlightActiveLine }
  from '@codemirror/view';
import { Compartment, EditorState } from '@codemirror/state';
import { HighlightStyle, bracketMatching, foldEffect, foldGutter, foldKeymap, indentOnInput,
  syntaxHighlighting } from '@codemirror/language';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete';
import { setDiagnostics } from '@codemirror/lint';
import { searchKeymap } from '@codemirror/search';
import { json } from '@codemirror/lang-json';
import { sql } from '@codemirror/lang-sql';
import { tags } from '@lezer/highlight';
import { innerRanges } from '../ejson.js';

const COLOURS = HighlightStyle.define([
  { tag: [tags.propertyName], color: 'var(--key)' },
  { tag: [tags.string], color: 'var(--string)' },
  { tag: [tags.number], color: 'var(--number)' },
  { tag: [tags.keyword, tags.bool, tags.null], color: 'var(--word)' },
  { tag: [tags.comment], color: 'var(--muted)' },
]);

const THEME = EditorView.theme({
  '&': { color: 'var(--text)', backgroundColor: 'var(--surface)', fontSize: '12.5px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-content': { fontFamily: 'var(--mono)', caretColor: 'var(--text)', padding: '6px 0' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--raised)', color: 'var(--muted)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLine': { backgroundColor: 'var(--raised)' },
  [['.cm-selectionBackground', '&.cm-focused > .cm-scroller > .cm-selectionLayer '
    + '.cm-selectionBackground'].join(', ')]:
    { backgroundColor: 'var(--soft)' },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket':
    { backgroundColor: 'var(--soft)', outline: '1px solid var(--accent)' },
  '.cm-foldPlaceholder': { backgroundColor: 'var(--raised)', color: 'var(--muted)',
    border: 'none' },
  '.cm-panels': { backgroundColor: 'var(--raised)', color: 'var(--text)' },
  '.cm-scroller': { overflow: 'auto', lineHeight: '1.55' },
});

/**
 * Text editor. It alone has a shadow root: CodeMirror then uses constructed style sheets, which
 * the content policy allows. Events: `edited` (text), `run` (text or selection), `save`.
 */
class Editor extends LitElement {
  static properties = {
    value: { attribute: false },
    language: { type: String },
    label: { type: String },
    readOnly: { type: Boolean },
    compact: { type: Boolean },
    folded: { type: Boolean },
    problem: { attribute: false },
  };

  constructor() {
    super();
    this.value = '';
    this.language = 'json';
    this.label = 'Text';
    this.editable = new Compartment();
  }

  firstUpdated() {
    this.view = new EditorView({ root: this.renderRoot, parent: this.renderRoot,
      state: this.stateOf(this.value) });
    if (this.folded) {
      this.fold();
    }
  }

  /** Folds what is below the first level. */
  fold() {
    this.view.dispatch({ effects: innerRanges(this.value).map((range) => foldEffect.of(range)) });
  }

  stateOf(text) {
    const own = keymap.of([
      { key: 'Mod-Enter', run: () => this.tell('run', this.selected() || this.text()) },
      { key: 'Mod-s', run: () => this.tell('save', this.text()) },
    ]);
    return EditorState.create({ doc: text, extensions: [
      own, this.compact ? [] : [lineNumbers(), foldGutter()], history(), drawSelection(),
      indentOnInput(), bracketMatching(), closeBrackets(), highlightActiveLine(),
      keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...foldKeymap,
        ...searchKeymap]),
      this.language === 'sql' ? sql() : json(), syntaxHighlighting(COLOURS), THEME,
      EditorView.lineWrapping,
      EditorView.contentAttributes.of(() => ({ 'aria-label': this.label, spellcheck: 'false' })),
      this.editable.of(this.editability()),
      EditorView.updateListener.of((update) => update.docChanged && this.tell('edited',
        this.text())),
    ] });
  }

  editability() {
    return this.readOnly
      ? [EditorState.readOnly.of(true),
        EditorView.contentAttributes.of({ 'aria-readonly': 'true' })]
      : [];
  }

  tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
    return true;
  }

  text() {
    return this.view.state.doc.toString();
  }

  selected() {
    const { from, to } = this.view.state.selection.main;
    return this.view.state.sliceDoc(from, to);
  }

  focus() {
    this.view?.focus();
  }

  updated(changed) {
    if (!this.view) {
      return;
    }
    if (changed.get('language') !== undefined) {
      this.view.setState(this.stateOf(this.value));
    } else if (changed.has('value') && this.value !== this.text()) {
      this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert:
        this.value } });
    }
    if (changed.get('label') !== undefined) {
      this.view.dispatch({});
    }
    if (changed.has('readOnly')) {
      this.view.dispatch({ effects: this.editable.reconfigure(this.editability()) });
    }
    if (changed.has('problem')) {
      this.mark();
    }
  }

  /** Underlines a problem: {line, column, text}, or several in `places`. */
  mark() {
    const { doc } = this.view.state;
    const found = [this.problem ?? {}, ...(this.problem?.places ?? [])]
      .filter(({ line }) => line && line <= doc.lines).map(({ line: number, column, text }) => {
        const line = doc.line(number);
        const from = Math.min(line.from + Math.max(0, (column ?? 1) - 1), line.to);
        return { from, to: line.to, severity: 'error', message: text };
      });
    this.view.dispatch(setDiagnostics(this.view.state, found));
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.value = this.view?.state.doc.toString() ?? this.value;
  }
}

customElements.define('m-editor', Editor);
