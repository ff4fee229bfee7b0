/* Keys of documents, cut out of their texts: every digit and type stays as it is. */

const SPACE = /\s/;

/**
 * Text of the value of a field, or undefined.
 * @param {string} text JSON of a document @param {string[]} path
 * @returns {string | undefined}
 */
export function rawField(text, path) {
  let at = skipSpace(text, 0);
  if (text[at] !== '{') {
    return undefined;
  }
  at = skipSpace(text, at + 1);
  while (at < text.length && text[at] === '"') {
    const nameEnd = endOfValue(text, at);
    const name = JSON.parse(text.slice(at, nameEnd));
    const from = skipSpace(text, skipSpace(text, nameEnd) + 1);
    const to = endOfValue(text, from);
    if (name === path[0]) {
      const value = text.slice(from, to);
      return path.length === 1 ? value : rawField(value, path.slice(1));
    }
    at = skipSpace(text, to);
    at = text[at] === ',' ? skipSpace(text, at + 1) : text.length;
  }
  return undefined;
}

function skipSpace(text, at) {
  let next = at;
  while (next < text.length && SPACE.test(text[next])) {
    next++;
  }
  return next;
}

/** End of the value that begins at a position. */
function endOfValue(text, from) {
  let depth = 0;
  let at = from;
  while (at < text.length) {
    const c = text[at];
    if (c === '"') {
      at++;
      while (at < text.length && text[at] !== '"') {
        at += text[at] === '\\' ? 2 : 1;
      }
      if (depth === 0) {
        return at + 1;
      }
    } else if (c === '{' || c === '[') {
      depth++;
    } else if (c === '}' || c === ']') {
      if (depth === 0) {
        return at;
      }
      depth--;
      if (depth === 0) {
        return at + 1;
      }
    } else if (depth === 0 && (c === ',' || SPACE.test(c))) {
      return at;
    }
    at++;
  }
  return at;
}

/**
 * Key of a document: the text of `_id`, or for a container its id and partition key.
 * @param {string} text @param {string[] | undefined} partitionPaths of a container
 */
export function keyOf(text, partitionPaths) {
  if (!partitionPaths) {
    return rawField(text, ['_id']) ?? 'null';
  }
  const values = partitionPaths.map((path) =>
    rawField(text, path.split('/').slice(1)) ?? '{}');
  return `{"id":${rawField(text, ['id']) ?? '""'},"partitionKey":[${values.join(',')}]}`;
}

/** Key for people: the id alone. @param {string} key */
export function shownKey(key) {
  try {
    const parsed = JSON.parse(key);
    const id = parsed !== null && typeof parsed === 'object' && 'partitionKey' in parsed
      ? parsed.id : parsed;
    const inner = id !== null && typeof id === 'object' ? Object.values(id)[0] : id;
    return typeof inner === 'object' ? JSON.stringify(id) : String(inner);
  } catch {
    return key;
  }
}
