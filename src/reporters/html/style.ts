/**
 * The style sheet of a page. Each colour has one value for light and one for dark paper: text has a contrast of 4.5 to 1 at
 * least and marks of 3 to 1 (WCAG 2.2, 1.4.3 and 1.4.11), and those side by side differ in lightness or hue for colour-blind
 * readers too.
 */
const light = `--paper:#fff;--raised:#f5f6f8;--line:#d4d8de;--ink:#1a1d21;--ink-2:#565d66;--good:#0a6e4f;--bad:#b3341f;--neutral:#5c6670;
--read:#24589e;--written:#8f5400;--fresh:#a82d5e;--output:#0f766e;--calls:#6b3fa0;--other:#5c6670;--on-color:#fff;--gain:10,110,79;--loss:179,52,31`;
const dark = `--paper:#15181c;--raised:#1e2227;--line:#3a4048;--ink:#eceff2;--ink-2:#a9b2bc;--good:#5fd3a8;--bad:#ff9a85;--neutral:#a9b2bc;
--read:#8ab8f5;--written:#f0b45c;--fresh:#f49ac0;--output:#66d1c4;--calls:#c9aaf0;--other:#a9b2bc;--on-color:#101316;--gain:95,211,168;--loss:255,154,133`;

const shades = [1, 2, 3, 4].map((step) => {
  const opacity = (step * 0.09).toFixed(2);
  return `.gain-${step}{background:rgba(var(--gain),${opacity})}.loss-${step}{background:rgba(var(--loss),${opacity})}`;
});

export const styleSheet = `
:root{color-scheme:light dark;${light}}
@media screen and (prefers-color-scheme:dark){:root{${dark}}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main,footer{max-width:892px;margin:0 auto;padding:0 16px}
header{padding-top:28px}
.kicker{margin:0;color:var(--ink-2);font-size:14px}
h1{font-size:24px;line-height:1.3;margin:8px 0 14px;text-wrap:pretty;overflow-wrap:anywhere}
.answer{font-size:18px;line-height:1.4;margin:0 0 14px}
h2{font-size:20px;margin:48px 0 12px;padding-top:12px;border-top:1px solid var(--line)}
p,li{overflow-wrap:anywhere}
code{font:13px/1.5 ui-monospace,monospace}
.figures{display:grid;margin:20px 0 0;grid-template-columns:repeat(auto-fit,minmax(160px,1fr));gap:12px}
.figures div{background:var(--raised);border:1px solid var(--line);border-radius:6px;padding:10px 14px}
dt{color:var(--ink-2);font-size:14px;overflow-wrap:anywhere}
dd{margin:0;font-size:26px;line-height:1.3;font-variant-numeric:tabular-nums}
small{display:block;color:var(--ink-2);font-size:13px}
figure{margin:16px 0 28px}
figcaption{font-weight:600;margin-bottom:6px}
figure p{margin:4px 0;font-size:14px}
svg{display:block;max-width:100%;height:auto;overflow:visible}
svg text,svg tspan{white-space:pre}
svg.narrow{display:none;width:100%}
.pair{display:flex;flex-wrap:wrap;gap:16px 20px}
.pair>div{flex:1 1 300px;max-width:420px}
.legend{display:flex;flex-wrap:wrap;gap:2px 18px;list-style:none;margin:4px 0 8px;padding:0;font-size:14px}
.swatch{display:inline-block;width:12px;height:12px;margin-right:6px;border-radius:2px}
.tick{display:inline-block;width:3px;height:12px;margin-right:6px}
details{margin:8px 0}
summary{cursor:pointer;color:var(--ink-2);font-size:14px;padding:4px 0}
:focus-visible{outline:2px solid var(--read);outline-offset:2px}
.scroll{overflow-x:auto;margin:8px 0 20px;background:linear-gradient(90deg,var(--paper) 40%,transparent) left/48px 100% no-repeat local,linear-gradient(270deg,var(--paper) 40%,transparent) right/48px 100% no-repeat local,linear-gradient(90deg,var(--line),transparent) left/12px 100% no-repeat,linear-gradient(270deg,var(--line),transparent) right/12px 100% no-repeat}

.scroll wbr{display:none}
table{border-collapse:collapse;font-size:14px;font-variant-numeric:tabular-nums}
caption{text-align:left;color:var(--ink-2);padding:4px 0}
th,td{padding:4px 10px 4px 0;border-bottom:1px solid var(--line);vertical-align:top}
th{font-weight:600}
thead th{color:var(--ink-2);vertical-align:bottom}
tbody th{font-weight:400;text-align:left}
.words{text-align:left}td.words{min-width:7em}
.number{text-align:right;white-space:nowrap}
tr.strong{background:var(--raised)}
tr.strong th,tr.strong td{font-weight:600}
.heat td,.heat th{padding:5px 12px}
${shades.join('')}
footer{color:var(--ink-2);font-size:13px;padding-bottom:32px;overflow-wrap:anywhere}
@media screen and (max-width:640px){.scroll wbr{display:inline}svg.wide{display:none}svg.narrow{display:block}h1{font-size:20px}}
@page{margin:14mm}
@media print{*{print-color-adjust:exact;-webkit-print-color-adjust:exact}body{font-size:10pt}main,footer{padding:0}summary{display:none}
h2,figcaption,caption,.legend,figure>p{break-after:avoid}h2{margin-top:28px}tr,svg,.figures,.pair,figure>p{break-inside:avoid}thead{display:table-header-group}
.scroll{overflow:visible;background:none}pre{white-space:pre-wrap;overflow-wrap:anywhere}table{font-size:7.5pt}th,td{padding:2px 5px 2px 0}.scroll wbr{display:inline}}
`;
