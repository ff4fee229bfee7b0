/* Documents in a text: one, an array, or one after the other. */

/**
 * Cuts a text into the texts of its documents; every character of a document stays as it is.
 * @param {string} text @returns {string[]}
 */
export function splitDocuments(text) {
  const found = [];
  let depth = 0;
  let start = -1;
  let quote = '';
  const inner = text.trim().startsWith('[') ? text.trim().replace(/^\[/, '').replace(/\]$/, '')
    : text;
  for (let i = 0; i < inner.length; i++) {
    const c = inner[i];
    if (quote) {
      if (c === '\\') {
        i++;
      } else if (c === quote) {
        quote = '';
      }
    } else if (c === '"' || c === "'") {
      quote = c;
    } else if (c === '{' || c === '[') {
      if (depth++ === 0) {
        start = i;
      }
    } else if ((c === '}' || c === ']') && --depth === 0) {
      found.push(inner.slice(start, i + 1));
    }
  }
  if (depth !== 0 || quote) {
    throw new Error('The text ends within a document: a bracket or a quote is missing.');
  }
  if (found.length === 0) {
    throw new Error('There is no document in the text.');
  }
  return found;
}
