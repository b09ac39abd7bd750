/** Zip: files as one archive, deflated where the browser can. */
(() => {
  "use strict";

  const [STORED, DEFLATED] = [0, 8];
  const [LOCAL, CENTRAL, END] = [0x04034b50, 0x02014b50, 0x06054b50];
  const VERSION = 20;
  const IS_UTF_8 = 1 << 11;
  /** The first of January 1980, the first day that an archive can tell: the same files are the same bytes. */
  const DAY = 33;

  const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
    let code = byte;
    for (let bit = 0; bit < 8; bit += 1) code = code & 1 ? (code >>> 1) ^ 0xedb88320 : code >>> 1;
    return code;
  });

  function checksum(bytes) {
    let code = 0xffffffff;
    for (const byte of bytes) code = TABLE[(code ^ byte) & 255] ^ (code >>> 8);
    return (code ^ 0xffffffff) >>> 0;
  }

  async function deflated(bytes) {
    const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate-raw"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  }

  /** Numbers of two or four bytes, the lowest first, and bytes as they are. */
  function joined(...parts) {
    const sizeOf = (part) => (Array.isArray(part) ? part[1] : part.length);
    const bytes = new Uint8Array(parts.reduce((sum, part) => sum + sizeOf(part), 0));
    let at = 0;
    for (const part of parts) {
      if (Array.isArray(part)) {
        const [number, size] = part;
        for (let byte = 0; byte < size; byte += 1) bytes[at + byte] = Math.floor(number / 256 ** byte) % 256;
        at += size;
      } else {
        bytes.set(part, at);
        at += part.length;
      }
    }
    return bytes;
  }

  const two = (number) => [number, 2];
  const four = (number) => [number, 4];

  async function packed([path, text]) {
    const encoder = new TextEncoder();
    const [name, bytes] = [path, text].map((each) => encoder.encode(each));
    const isDeflated = "CompressionStream" in globalThis;
    const data = isDeflated ? await deflated(bytes) : bytes;
    const method = two(isDeflated ? DEFLATED : STORED);
    const sizes = [four(checksum(bytes)), four(data.length), four(bytes.length)];
    const head = [two(VERSION), two(IS_UTF_8), method, two(0), two(DAY), ...sizes, two(name.length), two(0)];
    return { name, data, head };
  }

  /** The bytes of an archive of `[path, text]`, in their order. */
  async function zip(files) {
    const locals = [];
    const centrals = [];
    let at = 0;
    for (const { name, data, head } of await Promise.all(files.map(packed))) {
      const local = joined(four(LOCAL), ...head, name, data);
      centrals.push(joined(four(CENTRAL), two(VERSION), ...head, two(0), two(0), two(0), four(0), four(at), name));
      locals.push(local);
      at += local.length;
    }
    const directory = joined(...centrals);
    const count = two(files.length);
    const end = joined(four(END), two(0), two(0), count, count, four(directory.length), four(at), two(0));
    return joined(...locals, directory, end);
  }

  wholesale.receive("later/zip", zip);
})();
