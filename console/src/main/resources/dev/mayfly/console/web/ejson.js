/* Extended JSON for reading: lists and tables show values, the editor keeps the text. */

const WRAPPERS = {
  $oid: (v) => ['ObjectId', v],
  $numberInt: (v) => ['Int32', v],
  $numberLong: (v) => ['Int64', v],
  $numberDouble: (v) => ['Double', v],
  $numberDecimal: (v) => ['Decimal128', v],
  $date: (v) => ['Date', isoDate(v)],
  $timestamp: (v) => ['Timestamp', `${v.t}:${v.i}`],
  $binary: (v) => ['Binary', `${v.base64?.slice(0, 24) ?? ''} (subtype ${v.subType})`],
  $regularExpression: (v) => ['Regex', `/${v.pattern}/${v.options}`],
  $minKey: () => ['MinKey', 'MinKey'],
  $maxKey: () => ['MaxKey', 'MaxKey'],
  $undefined: () => ['Undefined', 'undefined'],
  $symbol: (v) => ['Symbol', v],
  $code: (v) => ['Code', v],
};

function isoDate(value) {
  const millis = typeof value === 'object' ? Number(value.$numberLong) : Date.parse(value);
  const date = new Date(millis);
  return Number.isNaN(date.getTime()) ? `${millis} ms` : date.toISOString();
}

/**
 * Type and plain text of one value, cut off at about a number of characters.
 * @param {unknown} value @param {number} [most] @returns {{type: string, text: string}}
 */
export function describe(value, most = 300) {
  if (value === undefined) {
    return { type: '', text: '' };
  }
  if (value === null) {
    return { type: 'Null', text: 'null' };
  }
  if (Array.isArray(value)) {
    return { type: 'Array', text: `[${joined(value, (each) => each, most)}]` };
  }
  if (typeof value === 'object') {
    const names = Object.keys(value);
    const wrapper = names.length > 0 && Object.hasOwn(WRAPPERS, names[0]) && names.length <= 2;
    if (wrapper) {
      const [type, text] = WRAPPERS[names[0]](value[names[0]]);
      return { type, text: cut(text, most) };
    }
    return { type: 'Object', text: `{${joined(names, (name) => value[name], most,
      (name) => `${name}: `)}}` };
  }
  const types = { string: 'String', number: 'Number', boolean: 'Boolean' };
  return { type: types[typeof value], text: cut(String(value), most) };
}

/** Texts of values with commas between them, until there are enough characters. */
function joined(items, valueOf, most, label = () => '') {
  const parts = [];
  let size = 0;
  for (const item of items) {
    if (size > most) {
      parts.push('…');
      break;
    }
    parts.push(`${label(item)}${describe(valueOf(item), most - size).text}`);
    size += parts.at(-1).length;
  }
  return parts.join(', ');
}

function cut(text, most) {
  const size = Math.max(0, most);
  return text.length > size ? `${text.slice(0, size)}…` : text;
}

/** Parses the text of a document for reading; never write the result back. */
export function forReading(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/**
 * Indents JSON without touching its values: numbers keep all digits.
 * @param {string} text valid JSON @returns {string}
 */
export function indent(text) {
  let out = '';
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (inString) {
      out += c;
      if (c === '\\') {
        out += text[++i] ?? '';
      } else if (c === '"') {
        inString = false;
      }
    } else if (c === '"') {
      inString = true;
      out += c;
    } else if (c === '{' || c === '[') {
      const end = text.slice(i + 1).search(/\S/) + i + 1;
      const short = shortWrapper(text, i);
      if (text[end] === '}' || text[end] === ']') {
        out += c + text[end];
        i = end;
      } else if (short) {
        out += short.replace(/"[^"]*"|\s*:\s*|\s+/g,
          (part) => (part.startsWith('"') ? part : part.trim() === ':' ? ': ' : ''));
        i += short.length - 1;
      } else {
        out += `${c}\n${'  '.repeat(++depth)}`;
      }
    } else if (c === '}' || c === ']') {
      out += `\n${'  '.repeat(--depth)}${c}`;
    } else if (c === ',') {
      out += `,\n${'  '.repeat(depth)}`;
    } else if (c === ':') {
      out += ': ';
    } else if (!/\s/.test(c)) {
      out += c;
    }
  }
  return out;
}

/** Typed values such as {"$oid": "…"} stay on one line. */
function shortWrapper(text, start) {
  const wrapper =
    /^\{\s*"\$(?:oid|number\w+|minKey|maxKey|undefined|symbol)"\s*:\s*(?:"[^"\\]*"|\w+)\s*\}/;
  const date = /^\{\s*"\$date"\s*:\s*(?:"[^"\\]*"|\{\s*"\$numberLong"\s*:\s*"-?\d+"\s*\})\s*\}/;
  const rest = text.slice(start, start + 200);
  return (rest.match(wrapper) ?? rest.match(date))?.[0];
}

/**
 * Ranges of the objects and arrays directly below the first level, without their brackets.
 * @param {string} text valid JSON @returns {{from: number, to: number}[]}
 */
export function innerRanges(text) {
  const found = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (c === '"') {
      i = endOfString(text, i);
    } else if (c === '{' || c === '[') {
      depth++;
      start = depth === 2 ? i + 1 : start;
    } else if (c === '}' || c === ']') {
      if (depth === 2 && i > start) {
        found.push({ from: start, to: i });
      }
      depth--;
    }
  }
  return found;
}

function endOfString(text, start) {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') {
    at += text[at] === '\\' ? 2 : 1;
  }
  return at;
}
