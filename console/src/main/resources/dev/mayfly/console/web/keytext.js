/* Keys of documents, cut out of their texts: every digit and type stays as it is. */

const SPACE = /\s/;

/**
 * Text of the value of a field, or undefined.
 * @param {string} text JSON of a document @param {string[]} path
 * @returns {string | undefined}
 */
export function rawField(text, path) {
  const found = find(text, path, 0, false);
  return found && text.slice(found.from, found.to);
}

/**
 * Position of the name of a field, or undefined.
 * @param {string} text JSON of a document @param {string[]} path names, numbers within arrays
 * @returns {number | undefined}
 */
export function placeOf(text, path) {
  return find(text, path, 0, true)?.name;
}

/** The field at a path, below the value that begins at a position. */
function find(text, path, start, throughArrays) {
  const open = skipSpace(text, start);
  const array = throughArrays && text[open] === '[';
  if (!array && text[open] !== '{') {
    return undefined;
  }
  let at = skipSpace(text, open + 1);
  for (let i = 0; at < text.length && text[at] !== ']' && text[at] !== '}'; i++) {
    const nameEnd = array ? at : endOfValue(text, at);
    const name = array ? String(i) : JSON.parse(text.slice(at, nameEnd));
    const from = array ? at : skipSpace(text, skipSpace(text, nameEnd) + 1);
    const to = endOfValue(text, from);
    if (name === path[0]) {
      return path.length === 1 ? { name: at, from, to }
        : find(text, path.slice(1), from, throughArrays);
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

/** Version of an item, from its `_etag`; empty if it has none. @param {string} text */
export function versionOf(text) {
  const digits = /^"\\"([\da-f]{8})-0000-0000-0000-0000([\da-f]{8})\\""$/
    .exec(rawField(text, ['_etag']) ?? '');
  return digits ? String(BigInt(`0x${digits[1]}${digits[2]}`)) : '';
}

/** ETag of a version of an item. @param {string} version */
export function etagOf(version) {
  const digits = BigInt(version).toString(16).padStart(16, '0');
  return `"${digits.slice(0, 8)}-0000-0000-0000-0000${digits.slice(8)}"`;
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
