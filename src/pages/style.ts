/** The style sheet of every page. No fonts, images or rules from elsewhere; colours are AA in both schemes. */
export const STYLE = `
:root{color-scheme:light dark;--bg:#fcfbf9;--raised:#fff;--sunk:#f3f1ec;--text:#1c1e21;--soft:#575b62;--line:#e3e0d9;
--accent:#0a5d63;--good:#1c6b3c;--bad:#a32a20;--note:#7a4b00;--note-bg:#fdf1d7;
--mono:ui-monospace,"SF Mono","Cascadia Code","Segoe UI Mono","Liberation Mono",Menlo,monospace}
@media (prefers-color-scheme:dark){:root{--bg:#121417;--raised:#191c20;--sunk:#1e2226;--text:#e8e6e1;--soft:#a3a8b0;
--line:#2c3137;--accent:#7fd1cb;--good:#7fd09b;--bad:#f2938a;--note:#f0c674;--note-bg:#2c2412}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-padding-top:1.5rem}
body{margin:0;background:var(--bg);color:var(--text);font:1rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;
overflow-wrap:anywhere}
.wrap{max-width:58rem;margin:0 auto;padding:0 1.25rem}
a{color:var(--accent);text-underline-offset:.2em;text-decoration-thickness:1px}
a:hover{text-decoration-thickness:2px}
:focus-visible{outline:2px solid var(--accent);outline-offset:3px;border-radius:3px}
h1,h2,h3{line-height:1.2;font-weight:650;letter-spacing:-.012em;text-wrap:balance;margin:0}
h1{font-size:clamp(1.9rem,1.5rem + 1.8vw,2.5rem);letter-spacing:-.025em}
h2{font-size:1.375rem}h3{font-size:1rem;letter-spacing:0}
p{margin:.6rem 0}ul,ol{padding:0 0 0 1.2rem}
code,pre,kbd{font-family:var(--mono);font-size:.875em}
pre{background:var(--sunk);border-radius:8px;padding:.9rem 1rem;margin:.6rem 0;overflow-x:auto;line-height:1.55;
overflow-wrap:normal}
.soft{color:var(--soft)}.small{font-size:.875rem}.num{font-variant-numeric:tabular-nums}
.skip{position:absolute;left:-99rem}
.skip:focus{left:1rem;top:.5rem;background:var(--raised);padding:.4rem .8rem;z-index:1}
.banner{background:var(--note-bg);color:var(--note);font-size:.9rem}
.banner p{margin:0 auto;padding-top:.5rem;padding-bottom:.5rem}
.top{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;align-items:baseline;padding-top:1.25rem;padding-bottom:1.25rem}
.top .name{font-weight:650;color:var(--text);text-decoration:none;margin-right:auto}
.top nav{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem}
.top nav a,.foot a{color:var(--soft);text-decoration:none}
.top nav a:hover,.foot a:hover{color:var(--text);text-decoration:underline}
.top nav a[aria-current]{color:var(--text)}
.hero{padding-top:clamp(1.5rem,5vw,4rem)}
.lead{font-size:1.125rem;max-width:40rem;margin:1rem 0 0;color:var(--soft)}
.facts{display:flex;flex-wrap:wrap;gap:1rem 2.75rem;margin:2rem 0 0}
.facts div{display:flex;flex-direction:column-reverse}
.facts dt{color:var(--soft);font-size:.875rem}.facts dd{margin:0;font-size:1.25rem;font-weight:600}
main section{margin-top:clamp(3rem,7vw,4.5rem)}
.head{display:flex;flex-wrap:wrap;gap:.75rem 1.5rem;align-items:center;justify-content:space-between}
.search{display:flex;gap:.5rem;flex:1 1 16rem;max-width:24rem}
.search input{flex:1;min-width:0;font:inherit;color:inherit;background:var(--raised);border:1px solid #8a8d92;
border-radius:8px;padding:.5rem .75rem}
.search button{font:inherit;color:var(--accent);background:none;border:1px solid #8a8d92;border-radius:8px;
padding:.5rem .9rem;cursor:pointer}
.js .search button{display:none}
.chips{display:flex;flex-wrap:wrap;gap:.4rem .5rem;list-style:none;padding:0;margin:1rem 0 0;font-size:.875rem}
.chips a{display:inline-block;padding:.2rem .7rem;border:1px solid var(--line);border-radius:99px;color:var(--soft);
text-decoration:none}
.chips a:hover{color:var(--text);border-color:var(--soft)}
.group{margin-top:2rem}.group h3{color:var(--soft);font-weight:600;font-size:.875rem;padding-bottom:.6rem}
.rows{list-style:none;margin:0;padding:0;border-top:1px solid var(--line)}
.row{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:.1rem 1.5rem;padding:1.1rem 0;
border-bottom:1px solid var(--line)}
.row h4{margin:0;font-size:1.0625rem;font-weight:600;line-height:1.35}
.price{margin-left:auto;font-variant-numeric:tabular-nums;font-weight:600;text-align:right;white-space:nowrap}
.row .about{grid-column:1/-1;margin:.1rem 0 0;color:var(--soft);max-width:44rem}
.acts{display:flex;flex-wrap:wrap;align-items:baseline}
.row .acts{grid-column:1/-1;gap:.25rem 1.25rem;margin:.35rem 0 0;font-size:.9375rem}
.row .acts code{color:var(--soft)}
.acts a{padding:.15rem 0}
.shown{grid-column:1/-1;background:var(--raised);border:1px solid var(--line);border-radius:10px;padding:1rem 1.1rem;
margin:.8rem 0 .2rem;font-size:.9375rem;max-height:26rem;overflow:auto}
.shown>p{margin:0 0 .6rem;color:var(--soft);font-size:.875rem}
.shown dl{display:grid;grid-template-columns:minmax(7rem,auto) 1fr;gap:.3rem 1.25rem;margin:0}
.shown dt{color:var(--soft)}.shown dd{margin:0;font-variant-numeric:tabular-nums}
.shown dt:has(+dd>dl),.shown dd:has(>dl),.shown dt:has(+dd>.scroll),.shown dd:has(>.scroll){grid-column:1/-1}
.shown dd>dl{padding-left:.9rem;border-left:2px solid var(--line)}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.9375rem;overflow-wrap:normal}
th{font-weight:500;color:var(--soft);font-size:.875rem;text-align:left}
th,td{padding:.5rem 1.25rem .5rem 0;border-bottom:1px solid var(--line);vertical-align:top;
font-variant-numeric:tabular-nums}
td:last-child,th:last-child{padding-right:0}
.ways{display:grid;grid-template-columns:minmax(0,1fr);gap:1.75rem;margin-top:1.25rem}
.ways p{margin:.25rem 0 0;color:var(--soft)}
.pair{display:grid;grid-template-columns:minmax(0,1fr);gap:0 3.5rem}
@media (min-width:46rem){.pair{grid-template-columns:repeat(2,minmax(0,1fr))}
details.op>summary .verb{min-width:3rem}details.op>summary>code{min-width:15rem}}
.group .list{margin-top:0}
.list{list-style:none;padding:0;margin:1rem 0 0;border-top:1px solid var(--line)}
.list li{display:flex;flex-wrap:wrap;gap:.1rem 1.25rem;justify-content:space-between;padding:.65rem 0;
border-bottom:1px solid var(--line)}
.list strong{font-weight:600}
.list .sub{flex-basis:100%;color:var(--soft);font-size:.875rem;display:flex;flex-wrap:wrap;
align-items:baseline;gap:.1rem .9rem}
.dot{display:inline-block;width:.55em;height:.55em;border-radius:50%;background:var(--good);margin-right:.5em}
.dot.bad{background:var(--bad)}
.bad-text{color:var(--bad)}
.tag{font-size:.8125rem;border:1px solid var(--line);border-radius:5px;padding:0 .4rem;color:var(--soft)}
details.op{border-bottom:1px solid var(--line)}
.ops{border-top:1px solid var(--line)}
details.op>summary{display:flex;flex-wrap:wrap;align-items:baseline;gap:.1rem 1rem;padding:.8rem 0;
cursor:pointer;list-style:none}
details.op>summary::-webkit-details-marker{display:none}
details.op>summary .title{margin-right:auto;color:var(--soft)}
details.op>summary::before{content:"+";width:1ch;color:var(--soft);font-family:var(--mono)}
details.op[open]>summary::before{content:"\\2013"}
details.op>div{padding:0 0 1.5rem;scroll-margin-top:5rem}
details.op h4{margin:1.4rem 0 .3rem;font-size:.9375rem;font-weight:600}
details.op pre{max-height:26rem}
.verb{font-family:var(--mono);font-size:.8125rem;color:var(--soft)}
.foot{margin-top:5rem;border-top:1px solid var(--line);padding-top:1.5rem;padding-bottom:3rem;color:var(--soft);
font-size:.875rem}
.foot nav{display:flex;flex-wrap:wrap;gap:.3rem 1.25rem}
.foot p{margin:.9rem 0 0}
.chart{margin:1.75rem 0 0}.chart h3{margin-bottom:.6rem}
.chart>svg{display:block;max-width:100%;height:auto}
.chart>.narrow{display:none}
@media (max-width:50rem){.chart>.wide{display:none}.chart>.narrow{display:block}}
.chart text{font-size:12px;fill:var(--soft);text-anchor:middle;font-variant-numeric:tabular-nums}
.chart .side text,.chart text.side{text-anchor:end;dominant-baseline:central}
.chart .grid{stroke:var(--line)}
.chart .lines{fill:none;stroke-width:1.75;stroke-linecap:round;stroke-linejoin:round}
.chart .fill{fill:var(--accent);fill-opacity:.14}
.chart .l0{stroke:var(--accent)}.chart .l1{stroke:var(--soft);stroke-dasharray:5 4}
.chart .l2{stroke:var(--note);stroke-dasharray:1.5 4}
.chart .l3{stroke:var(--bad);stroke-dasharray:9 4 2 4}
.chart .good{fill:var(--good)}.chart .neutral{fill:var(--soft)}.chart .bad{fill:var(--bad)}.chart .tint{fill-opacity:.1}
.keys{display:flex;flex-wrap:wrap;gap:.1rem 1.25rem;list-style:none;padding:0;margin:.5rem 0 0;font-size:.875rem;
color:var(--soft)}
.keys li{display:flex;align-items:center;gap:.5rem}
.chart .cells text{dominant-baseline:central}
figcaption{color:var(--soft);font-size:.875rem;max-width:44rem;margin-top:.5rem}
.chart .s0{fill:#7f3a0c}.chart .on-s0{fill:#fff}
.chart .s1{fill:#a8571f}.chart .on-s1{fill:#fff}
.chart .s2{fill:#ecc19b}.chart .on-s2{fill:#1c1e21}
.chart .s3{fill:#f6e3d3}.chart .on-s3{fill:#1c1e21}
.chart .s4{fill:#f3f1ec}.chart .on-s4{fill:#1c1e21}
.chart .s5{fill:#d6e8e8}.chart .on-s5{fill:#1c1e21}
.chart .s6{fill:#a5cdcf}.chart .on-s6{fill:#1c1e21}
.chart .s7{fill:#35797e}.chart .on-s7{fill:#fff}
.chart .s8{fill:#0a5d63}.chart .on-s8{fill:#fff}
.chart .none{fill:none;stroke:var(--soft);stroke-dasharray:3 3}
@media (prefers-color-scheme:dark){.chart .s0{fill:#f0b985}.chart .on-s0{fill:#121417}
.chart .s1{fill:#c98a52}.chart .on-s1{fill:#121417}
.chart .s2{fill:#6b4320}.chart .on-s2{fill:#e8e6e1}
.chart .s3{fill:#3d2a1c}.chart .on-s3{fill:#e8e6e1}
.chart .s4{fill:#1e2226}.chart .on-s4{fill:#e8e6e1}
.chart .s5{fill:#1b3a3b}.chart .on-s5{fill:#e8e6e1}
.chart .s6{fill:#245b5a}.chart .on-s6{fill:#e8e6e1}
.chart .s7{fill:#4fa39e}.chart .on-s7{fill:#121417}
.chart .s8{fill:#7fd1cb}.chart .on-s8{fill:#121417}}
.text{max-width:42rem}.text h2{margin-top:2.5rem}.text table{margin:1rem 0}
[hidden]{display:none!important}
@media (max-width:30rem){.facts{display:grid;grid-template-columns:1fr 1fr}}
@media print{.search,.top nav,.foot{display:none}}
`.replaceAll("\n", "");
