"""The look of a digest as a page: in a mail, in a browser, on paper, by day and by night.

Colours are written out, because many mail programs know no CSS variables.
"""

STYLE = """
:root { color-scheme: light dark; }
* { box-sizing: border-box; }
body { margin: 0; padding: 0; background: #f4f1ea; color: #23211d; -webkit-text-size-adjust: 100%;
  font: 17px/1.6 -apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial,
  sans-serif; }
main { max-width: 680px; margin: 32px auto; padding: 44px 52px 36px; background: #fffdf9;
  border: 1px solid #e4ded1; border-top: 5px solid #a8402a; border-radius: 3px; }
h1, h2, h3 { margin: 0; font-family: "Iowan Old Style", "Palatino Linotype", Palatino, Charter, Georgia,
  serif; line-height: 1.25; text-wrap: balance; overflow-wrap: anywhere; }
h1 { font-size: 36px; letter-spacing: -.01em; }
h2 { margin: 44px 0 0; padding-bottom: 8px; border-bottom: 1px solid #d9d1c0; font-size: 24px;
  color: #a8402a; }
h3 { font-size: 20px; }
p { margin: 10px 0 0; overflow-wrap: anywhere; }
a { color: #1f4e79; text-decoration-thickness: 1px; text-underline-offset: 3px; }
h3 a { color: inherit; text-decoration-color: #c9bfa9; }
a:hover, h3 a:hover { color: #a8402a; text-decoration-color: currentcolor; }
a:focus-visible { outline: 2px solid #a8402a; outline-offset: 3px; border-radius: 2px; }
ol, ul { margin: 0; padding: 0; list-style: none; }
nav { margin-top: 20px; }
nav li { display: inline-block; margin: 0 18px 4px 0; }
.facts, .origin, .why, .also, footer { color: #6b655a; font-size: 15px; }
.facts { margin-top: 8px; }
.item { padding: 26px 0 4px; }
.item + .item { margin-top: 22px; border-top: 1px solid #ece6d9; }
.origin { margin-top: 4px; }
.why { margin-top: 14px; padding-left: 12px; border-left: 3px solid #e4ded1; }
.also { margin-top: 12px; }
.also ul { margin-top: 2px; }
.also li, .notes li { position: relative; margin-top: 4px; padding-left: 16px; overflow-wrap: anywhere; }
.also li::before, .notes li::before { content: "\\2013"; position: absolute; left: 0; }
.notes { margin-top: 44px; padding: 16px 20px; background: #f7f1e3; border-radius: 3px; font-size: 15px; }
.notes h2 { margin: 0 0 4px; padding: 0; border: 0; font-size: 18px; color: inherit; }
.nothing { margin-top: 36px; font-size: 20px; }
footer { margin-top: 40px; padding-top: 14px; border-top: 1px solid #d9d1c0; }
@media (max-width: 600px) {
  body { background: #fffdf9; }
  main { margin: 0; padding: 24px 20px 32px; border-width: 5px 0 0; }
  h1 { font-size: 29px; } h2 { margin-top: 36px; font-size: 22px; } h3 { font-size: 19px; }
}
@media (prefers-color-scheme: dark) {
  body { background: #161513; color: #e9e4da; }
  main { background: #1e1d1a; border-color: #35322c; border-top-color: #e0795f; }
  h2 { color: #ee9a83; border-color: #3d3932; }
  a { color: #9cc4ea; } h3 a { color: inherit; text-decoration-color: #5d574b; }
  a:hover, h3 a:hover { color: #ee9a83; } a:focus-visible { outline-color: #ee9a83; }
  .facts, .origin, .why, .also, footer { color: #a9a294; }
  .item + .item, footer { border-color: #35322c; } .why { border-color: #45413a; }
  .notes { background: #2a2721; }
}
@media (prefers-color-scheme: dark) and (max-width: 600px) { body { background: #1e1d1a; } }
@media print {
  body { background: #fff; color: #000; font-size: 10.5pt; line-height: 1.45; }
  main { max-width: none; margin: 0; padding: 0; background: #fff; border: 0; }
  h1 { font-size: 22pt; } h2 { margin-top: 18pt; font-size: 15pt; color: #000; border-color: #999; }
  h3 { font-size: 12.5pt; } h1, h2, h3, .origin { break-after: avoid; }
  a, h3 a { color: #000; text-decoration: none; }
  .facts, .origin, .why, .also, footer { color: #444; font-size: 9.5pt; }
  .item { padding-top: 10pt; break-inside: avoid; } .item + .item { margin-top: 8pt; border-color: #ccc; }
  h3 a::after, .also a::after { content: attr(href); color: #444;
    font: 8.5pt/1.3 ui-monospace, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
  h3 a::after { display: block; } .also a::after { margin-left: 6pt; }
  nav { display: none; } .notes { background: none; border: 1px solid #999; }
}
@page { margin: 18mm 16mm; }
"""
