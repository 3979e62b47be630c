import { extractDefinitions } from '../../src/definitions/extract.js';

const linesOf = async (path: string, text: string) => {
  const definitions = await extractDefinitions(text.replace(/^\n/, ''), { path });
  return definitions?.map(({ kind, name, startLine, endLine }) => `${startLine}-${endLine} ${kind} ${name}`);
};

/** What is found in a file: `lines kind name`, with commas between. */
const finds = (title: string, path: string, text: string, found: string) =>
  test(title, async () => expect(await linesOf(path, text)).toEqual(found.split(/,\s+/)));

finds(
  'TypeScript: classes with their methods, interfaces, aliases of object types, functions in constants',
  'src/cart.ts',
  `
import { Injectable } from 'framework';
// class Commented { method() {} }
const text = 'function quoted() {}';
export interface Item<T extends object = {}> {
  readonly id: string;
  price(currency: string): number;
}
export type Options = { retries: number };
export type Id = string | number;
@Injectable({ scope: 'request' })
export class Cart<T> extends Base<T> implements Item<T> {
  #items = new Map<string, T>();
  onChange = async (item: T): Promise<void> => {
    const local = () => item;
    local();
  };
  constructor(private readonly clock: Clock) {
    super();
  }
  add(item: T): this;
  @log()
  add(item: T, count?: number): this {
    function inner() {}
    return this;
  }
  get size() { return this.#items.size; }
  static async *[Symbol.asyncIterator]() {}
}
export const total = <T,>(items: readonly T[]): number => items.length;
export function pick(a: string): void;
export function pick(a: number): void;
export function pick(a: unknown): void {
  class Hidden {}
}
enum Color { Red }
abstract class Shape { abstract area(): number }
namespace Geometry.Flat {
  export function angle() {}
}
declare module 'legacy' {
  export function old(): void;
}
export default function () {}
`,
  `4-7 interface Item, 6-6 function price, 8-8 interface Options, 10-28 class Cart, 13-16 function onChange,
17-19 function constructor, 20-25 function add, 26-26 function size, 27-27 function [Symbol.asyncIterator],
29-29 function total, 30-34 function pick, 35-35 class Color, 36-36 class Shape, 36-36 function area,
37-39 class Geometry.Flat, 38-38 function angle, 40-42 class legacy, 41-41 function old, 43-43 function default`,
);

finds(
  'TSX: components, next to markup that looks like code',
  'app.tsx',
  `
type Props = { title: string };
export const Title = ({ title }: Props) => (
  <h1>function fake() {'{'} {title}</h1>
);
export default class App extends Component<Props> {
  render() {
    const row = () => <li />;
    return <Title title="class Fake {}" />;
  }
}
`,
  `1-1 interface Props, 2-4 function Title, 5-10 class App, 6-9 function render`,
);

finds(
  'JavaScript: functions assigned to exports, prototypes, keys of objects and in module wrappers',
  'lib/index.cjs',
  `
'use strict';
module.exports.parse = function (text) {
  return function nested() {};
};
exports.read = async () => {};
Old.prototype.close = function close() {};
const api = {
  get(path) {},
  'send all': function () {},
  later: () => {},
  deeper: { put() {} },
};
/* function commented() {} */
(function (root) {
  function wrapped() {}
  root.on('x', function () {
    function tooDeep() {}
  });
})(this);
describe('things', () => {
  function build() {}
  it('works', () => {
    const local = () => {};
  });
});
var Legacy = class { run() {} };
function* ids() {}
module.exports = function main() {};
`,
  `2-4 function parse, 5-5 function read, 6-6 function close, 8-8 function get, 9-9 function send all,
10-10 function later, 11-11 function put, 15-15 function wrapped, 21-21 function build, 26-26 class Legacy,
26-26 function run, 27-27 function ids, 28-28 function main`,
);

finds(
  'Python: decorators belong to the definition that they decorate',
  'shop/cart.py',
  `
"""
class Documented:
    def nothing(self): ...
"""
from dataclasses import dataclass

@dataclass(frozen=True)
class Cart(Base[Item]):
    size: int = 0

    @property
    def total(self) -> int:
        def local():
            return 1
        return local()

    async def load(self, url: str) -> None:
        pass

    class Meta:
        ordering = ["id"]

double = lambda x: x * 2

if TYPE_CHECKING:
    def checked(): ...
else:
    def checked(): ...
# def commented(): pass
`,
  `7-21 class Cart, 11-15 function total, 17-18 function load, 20-21 class Meta, 23-23 function double,
26-26 function checked, 28-28 function checked`,
);

finds(
  'Go: structs, interfaces with their methods, methods by their plain names',
  'main.go',
  `
package main

type Stack[T any] struct {
	items []T
}

type (
	Reader interface {
		Read(p []byte) (n int, err error)
	}
	Celsius float64
)

func (s *Stack[T]) Push(item T) {
	local := func() {}
	local()
}

// func commented() {}
var text = \`func raw() {}\`
var handler = func(w Writer) {}

func main() {
}
`,
  `3-5 class Stack, 8-10 interface Reader, 9-9 function Read, 14-17 function Push, 21-21 function handler,
23-24 function main`,
);

finds(
  'Rust: attributes, traits, blocks of implementations by their type, modules',
  'src/lib.rs',
  `
#[derive(Debug)]
#[repr(C)]
pub struct Point<T> {
    x: T,
}
// fn commented() {}
#[cfg(feature = "x")]
const ANSWER: &str = "fn quoted() {}";
pub trait Area {
    fn area(&self) -> f64;
    fn twice(&self) -> f64 { self.area() * 2.0 }
}
impl<T: Copy> Area for Point<T> {
    fn area(&self) -> f64 {
        fn local() {}
        1.0
    }
}
enum Kind { A, B(u8) }
macro_rules! square { ($x:expr) => { $x * $x }; }
#[cfg(test)]
mod tests {
    #[test]
    fn works() {}
}
mod elsewhere;
pub(crate) async fn run() {}
`,
  `1-5 class Point, 9-12 interface Area, 10-10 function area, 11-11 function twice, 13-18 class Point,
14-17 function area, 19-19 class Kind, 20-20 function square, 21-25 class tests, 23-24 function works,
27-27 function run`,
);

finds(
  'Java: records, enums, annotations, constructors, lambdas in fields',
  'Cart.java',
  `
package shop;
/** class Documented {} */
@Entity
public final class Cart<T extends Item> implements Iterable<T> {
  private final Supplier<T> maker = () -> null;
  public Cart() {}
  @Override
  public Iterator<T> iterator() {
    return new Iterator<>() { public boolean hasNext() { return false; } };
  }
  enum State { OPEN, CLOSED; boolean done() { return this == CLOSED; } }
  record Line(String name, int count) { Line { } }
}
interface Priced { int price(); }
@interface Marker { }
`,
  `3-13 class Cart, 5-5 function maker, 6-6 function Cart, 7-10 function iterator, 11-11 class State, 11-11 function done,
12-12 class Line, 12-12 function Line, 14-14 interface Priced, 14-14 function price, 15-15 interface Marker`,
);

finds(
  'C: functions and their prototypes, structs by name or by typedef, but not mentions of them',
  'list.c',
  `
#include "list.h"
#define CALL(x) function_like(x)
typedef struct node { struct node *next; } Node;
typedef enum { LEFT, RIGHT } Side;
struct list { Node *first; };
struct forward;
static int (*callback)(int);
typedef int (*handler)(void);
int list_size(const struct list *list);
#ifdef DEBUG
/* void commented(void) {} */
static void dump(void) { printf("int quoted() {}"); }
#endif
Node **list_find(struct list *list)
{
  return 0;
}
`,
  `3-3 class Node, 4-4 class Side, 5-5 class list, 9-9 function list_size, 12-12 function dump, 14-17 function list_find`,
);

finds(
  'C++: namespaces, templates, methods inside classes and, with their full names, outside',
  'shape.hpp',
  `
#include <vector>
namespace geo::flat {
template <typename T>
class Shape : public Base<T> {
 public:
  explicit Shape(T area);
  ~Shape() override;
  virtual T area() const = 0;
  bool operator==(const Shape& other) const;
  operator bool() const { return true; }
  struct Point { int x; };
 private:
  T area_;
};
// void commented() {}
}  // namespace
template <typename T>
T geo::flat::Shape<T>::area() const {
  auto local = [] {};
  return area_;
}
enum class Color { Red };
extern "C" {
int c_function(void);
}
`,
  `2-16 class geo::flat, 3-14 class Shape, 6-6 function Shape, 7-7 function ~Shape, 8-8 function area,
9-9 function operator==, 10-10 function operator bool, 11-11 class Point, 17-21 function geo::flat::Shape<T>::area,
22-22 class Color, 24-24 function c_function`,
);

finds(
  'C#: records, structs, attributes, namespaces for blocks and for whole files',
  'Cart.cs',
  `
namespace Shop.Carts
{
    [Serializable]
    public class Cart<T> : ICart where T : class
    {
        public int Size { get; set; }
        public Cart() { }
        [Obsolete("void Quoted() {}")]
        public async Task<T> LoadAsync<U>(U id) => default;
        void Outer() { void Local() { } }
    }
    public interface ICart { void Outer(); }
    public record Line(string Name, int Count);
    struct Point { }
    enum State { Open }
}
`,
  `1-16 class Shop.Carts, 3-11 class Cart, 7-7 function Cart, 8-9 function LoadAsync, 10-10 function Outer,
12-12 interface ICart, 12-12 function Outer, 13-13 class Line, 14-14 class Point, 15-15 class State`,
);

test('C#: a namespace for the whole file', async () => {
  const lines = await linesOf('Point.cs', 'namespace Shop;\nclass Point\n{\n  void Move() { }\n}\n');
  expect(lines).toEqual(['2-5 class Point', '4-4 function Move']);
});

finds(
  'Ruby: modules, methods of the class itself, private methods, methods in blocks',
  'cart.rb',
  `
# class Commented; end
module Shop::Carts
  class Cart < Base
    def self.build(*items)
      new(items)
    end
    class << self
      def parse(text) = text
    end
    private def secret; end
    def ==(other)
      "def quoted; end"
    end
  end
end
Point = Struct.new(:x) do
  def length; x.abs; end
end
`,
  `2-15 class Shop::Carts, 3-14 class Cart, 4-6 function build, 8-8 function parse, 10-10 function secret,
11-13 function ==, 17-17 function length`,
);

finds(
  'PHP: traits, enums, attributes, functions in variables',
  'cart.php',
  `
<html>function markup() {}</html>
<?php
namespace Shop;
#[Entity]
abstract class Cart extends Base implements Priced
{
    use Countable;
    public function __construct(private int $size = 0) {}
    abstract protected function total(): int;
}
interface Priced { public function price(): int; }
trait Countable { public function count() { return 'function quoted() {}'; } }
enum State: string { case Open = 'open'; public function label() {} }
$double = fn($x) => $x * 2;
if (!function_exists('helper')) {
    function helper() {}
}
`,
  `4-10 class Cart, 8-8 function __construct, 9-9 function total, 11-11 interface Priced, 11-11 function price,
12-12 class Countable, 12-12 function count, 13-13 class State, 13-13 function label, 14-14 function $double,
16-16 function helper`,
);

finds(
  'Bash: both ways to write a function',
  'build.sh',
  `
#!/usr/bin/env bash
# function commented { :; }
build() {
  inner() { :; }
}
function clean {
  cat <<EOF
fake() { :; }
EOF
}
if [ -z "$CI" ]; then
  function deploy() ( echo "quoted() {}" )
fi
`,
  `3-5 function build, 6-10 function clean, 12-12 function deploy`,
);

finds(
  'Markdown: headings of both styles with their sections, none from code, quotes or front matter',
  'README.md',
  `
---
title: front matter
# not a heading
---
# The Project #
Text.

## Install
\`\`\`sh
# a comment
\`\`\`
~~~~
# code
~~~
# code still
~~~~

#hashtag
- item
---
A long
title
-----
    # indented code
### Details
> # quoted
Title
===
####### seven
**Bold** title
===
`,
  `5-26 heading The Project, 8-20 heading Install, 21-26 heading A long title, 25-26 heading Details, 27-28 heading Title,
29-31 heading ####### seven **Bold** title`,
);

finds(
  'Lines are counted in the same way with Windows line ends, a byte order mark and characters outside the BMP',
  'a.ts',
  "\uFEFF// 😀😀\r\nclass Émile {\r\n  '😀'() {}\r\n}\r\n",
  '2-4 class Émile, 3-3 function 😀',
);
finds(
  'Lines of Markdown with Windows line ends',
  'a.md',
  '# One\r\n\r\nTwo\r\n---\r\n',
  '1-4 heading One, 3-4 heading Two',
);

test('A file is known by its extension, in any case', async () => {
  const text = 'def run(): pass\n';
  expect(await extractDefinitions(text, { path: 'C:\\code\\RUN.PY' })).toMatchObject([{ name: 'run' }]);
  expect(await extractDefinitions(`#!/usr/bin/env python3\n${text}`, { path: 'tool' })).toBeUndefined();
});

test('A header is C, unless it looks like C++', async () => {
  const c = await linesOf('a.h', 'struct class { int template; };\nint new(void);\n');
  expect(c).toEqual(['1-1 class class', '2-2 function new']);
  const cpp = await linesOf('a.h', '#pragma once\nclass A {\npublic:\n  void run();\n};\n');
  expect(cpp).toEqual(['2-5 class A', '4-4 function run']);
});

test('A language without a grammar has no definitions', async () => {
  expect(await extractDefinitions('class Greeter {\n}\n', { path: 'a.kt' })).toBeUndefined();
});
