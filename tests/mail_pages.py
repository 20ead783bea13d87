"""Pages of mails with the word SECRET: what hides it in a browser or cannot be told, and what only looks like that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

HIDDEN: Mapping[str, Sequence[str]] = {
    "colours and grounds": [
        '<p style="color:#333;background-color:currentcolor">SECRET',
        '<p style="background-color:#000;background:#fff;color:#fff">SECRET',
        '<p style="color:#fff;background:url(x)">SECRET',
        '<table background=x><td style="color:#fff">SECRET</table>',
        '<p style="color:rgb(calc(255),255,255)">SECRET',
        '<p style="color:color-mix(in srgb,white 99%,black)">SECRET',
        '<p style="color:#fff;background:linear-gradient(#000,#000) 0 0/0 0 no-repeat">SECRET',
        '<div style="-webkit-text-fill-color:white"><p style="color:black">SECRET</p></div>',
        '<p style="color:white;background:attr(x type(<color>),#000)">SECRET',
        '<p style="color:#fff;background:linear-gradient(#fff 99%,#000 99%)">SECRET',
        '<p style="display:none;color:(;display:block;)">SECRET',
        '<div style="opacity:.05;background:#000"><p style="color:#fff">SECRET',
        '<p style="box-shadow:inset 0 0 0 1000px #000">SECRET',
        '<table bgcolor=white><td><font color="fffffffff">SECRET</table>',
        '<p style="color:hsl(from white h s l)">SECRET',
        '<p style="background:#000;color:color(srgb-linear 0 0 0)">SECRET',
        '<p style="color:lab(100 0 0 / 1)">SECRET',
        '<p style="background:#000 url(http://x.invalid/a.png);background:none;color:#fff">SECRET',
        '<p style="color:#fff;background:#000,#fff">SECRET',
        '<p style="color:#fff;background:image-set(url(http://x.invalid/a) 1x)">SECRET',
        '<p style="color:#fff;background:linear-gradient(#000,#000) no-repeat -9999px 0">SECRET',
        (
            '<p style="color:#fff"><span style="background:#000;display:inline-block;width:1px;height:1px;white-s'
            'pace:nowrap">SECRET</span>'
        ),
        '<p style="color:white;background:rgb(0 0 0 / calc(0))">SECRET',
        '<p style="color:RGB(255 255 255)">SECRET',
        '<p style="color:rgb(255 255 255 / 1);background-color:#fff">SECRET',
        '<p style="color:#000;background-color:#fff;background:#000 border-box">SECRET',
    ],
    "sheets": [
        '<style>@media print{p{background:#000}}</style><p style="color:#fff">SECRET',
        '<style>@media (prefers-color-scheme:dark){p{background:#000}}</style><p style="color:#fff">SECRET',
        "<style>@supports not (display:zz){p{display:none}}</style><p>SECRET",
        "<style>p{display:none}@supports (display:zz){p{display:block}}</style><p>SECRET",
        "<style>.a{display:none}.a,..b{display:block}</style><p class=a>SECRET",
        "<style>p{display:none}@layer x{p{display:block}}</style><p>SECRET",
        '<style>p{display:none}</style><style type="text/x">p{display:block}</style><p>SECRET',
        "<style>p{display:none}</style><template><style>p{display:block}</style></template><p>SECRET",
        "<style>@keyframes k{from,to{visibility:hidden}}p{animation:k 1s infinite}</style><p>SECRET",
        "<style>@media (min-width:calc(1px)){p{display:none}}</style><p>SECRET",
        "<style>@media (print) or (min-width:1px){p{display:none}}</style><p>SECRET",
        "<style>@media (-webkit-min-device-pixel-ratio:0){p{display:none}}</style><p>SECRET",
        "<style>body{container-type:inline-size}@container (min-width:1px){p{display:none}}</style><p>SECRET",
        "<style>p{@media screen{display:none}}</style><p>SECRET",
        '<style>@import url("data:text/css,p{display:none}");</style><p>SECRET',
        "<style>@scope (body){p{display:none}}</style><p>SECRET",
        (
            "<style>@namespace url(x);p{display:block}</style><style>p{display:none}</style><style>@namespace url"
            "(x);p{display:block}</style><p>SECRET"
        ),
        "<style>p{display:none}</style><style>@media not (min-width:zz){p{display:block}}</style><p>SECRET",
        (
            "<style>p{display:none}</style><style>@media (min-width:zz) and (min-width:1px){p{display:block}}</st"
            "yle><p>SECRET"
        ),
        "<style>@media (min-width:zz) or (min-width:1px){p{display:none}}</style><p>SECRET",
        "<style>p::first-line{color:#fff}</style><p>SECRET",
        "<style>p:not(:popover-open){display:none}</style><p>SECRET",
        "<style>p:-webkit-any(.x){display:none}</style><p class=x>SECRET",
        (
            '<p style="position:relative;z-index:-1"><span style="position:relative;z-index:-1">SECRET</span></p>'
            "<style>body{position:relative;z-index:0}p{background:#fff;z-index:auto!important}</style>"
        ),
        "<style>@layer a,b;@layer b{p{display:none}}@layer a{p{display:block}}</style><p>SECRET",
        "<style>@layer x{p{display:none!important}}p{display:block!important}</style><p>SECRET",
        "<style>@supports not (not (display:grid)){p{display:none}}</style><p>SECRET",
        "<style>@supports (display:grid) and (not (display:zz)){p{display:none}}</style><p>SECRET",
        '<link rel=stylesheet href="data:text/css,p{display:none}"><p>SECRET',
        '<style>@import "data:text/css;base64,cHtkaXNwbGF5Om5vbmV9";</style><p>SECRET',
        "<style>@\\6d edia screen{p{display:none}}</style><p>SECRET",
        "<style>p:defined{display:none}</style><p>SECRET",
        "<style>@starting-style{p{opacity:0}}p{transition:opacity 999s}</style><p>SECRET",
        "<style>.a{display:none}</style><style>.a:is(..b),.a{display:none}</style><p class=a>SECRET",
        "<style>p{& {display:none}}</style><p>SECRET",
        "<style>p{color:red;@supports (display:grid){display:none}}</style><p>SECRET",
        "<style>body{> p{display:none}}</style><p>SECRET",
        "<style>p{display:none}</style><style>}p{display:block}</style><p>SECRET",
        "<style>@media screen{p{display:none}</style><p>SECRET",
        "<style>p{color:red;{}display:none}</style><p>SECRET",
        (
            '<style>p{display:none}</style><style media="(min-width:1px) and (max-width:2px)">p{display:block}</s'
            "tyle><p>SECRET"
        ),
        "<style>p{opacity:0}p:nope(x){opacity:1}</style><p>SECRET",
        "<style>p{opacity:0}p::-moz-x,p{opacity:1}</style><p>SECRET",
    ],
    "inheritance and variables": [
        '<style>*{--W:none}</style><p style="display:var(--W)">SECRET',
        '<style>*{--a:;}</style><p style="display:none var(--a)">SECRET',
        '<style>p{display:none}</style><p style="display:revert-layer">SECRET',
        '<p style="all:initial;color:white">SECRET',
        '<p style="--a:var(--b);--b:var(--a);color:var(--a,white)">SECRET',
        '<div style="--c:white"><p style="--c:initial;color:var(--c,white)">SECRET',
        (
            '<style>@property --z{syntax:"<color>";inherits:false;initial-value:white}</style><div style="--z:bla'
            'ck"><p style="color:var(--z)">SECRET'
        ),
        '<p style="color:white"><a href="http://x" style="color:revert;color:inherit">SECRET</a>',
        '<p style="background-color:#000;background-color:inherit;color:#fff">SECRET',
    ],
    "places and sizes": [
        '<p style="font-size:20px;font:0/0 a">SECRET',
        '<p style="margin-left:0;margin:0 0 0 -9999px">SECRET',
        '<p style="font-size:0;font-size:-5px">SECRET',
        '<p style="position:absolute;left:-9999px;left:zz">SECRET',
        '<p style="position:fixed;top:100vh">SECRET',
        (
            '<div style="position:relative;left:-190px"><div style="position:relative;left:-190px"><div style="po'
            'sition:relative;left:-190px"><div style="position:relative;left:-190px"><div style="position:relativ'
            'e;left:-190px"><div style="position:relative;left:-190px"><div style="position:relative;left:-190px"'
            '><div style="position:relative;left:-190px">SECRET'
        ),
        '<p style="letter-spacing:-1em">SECRET',
        '<p style="position:absolute;left:-500dvw">SECRET',
        '<style>html{font-size:.05px}</style><p style="font-size:1rem">SECRET',
        '<p style="display:none;display:block\\20 ">SECRET',
        '<p style="display:none;display:blo/**/ck">SECRET',
        '<p style="opacity:0;-moz-opacity:1">SECRET',
        '<p style="vertical-align:9999px"><span style="vertical-align:9999px">SECRET</span>',
        '<p style="position:fixed;inset:100dvh auto auto 0">SECRET',
        '<div style="zoom:.3"><div style="zoom:.3">SECRET',
        '<p style="font:1px/1 a,b">SECRET',
        '<p style="font:20px a;font:0 b">SECRET',
        '<p style="margin-left:0;margin-inline:-9999px 0">SECRET',
        '<p style="inset:0;position:absolute;inset:-9999px auto auto -9999px">SECRET',
        '<p style="visibility:hidden;visibility:shown">SECRET',
        '<p style="display:none;display:block none">SECRET',
        '<p style="opacity:0;opacity:1px">SECRET',
        '<p style="text-indent:-99px">SECRET',
        '<p style="position:relative;left:-90px">SECRET',
        '<div style="position:relative;left:-45px"><div style="margin-left:-45px">SECRET',
        '<p style="letter-spacing:-20px">SECRET',
        '<p style="position:absolute;left:-500ch;left:-500foo">SECRET',
    ],
    "boxes that cut": [
        '<p style="position:absolute;right:110%;width:100%">SECRET',
        '<p style="max-height:2px;overflow:hidden">SECRET',
        '<div style="height:20px;overflow:hidden">x<p style="margin-top:50px">SECRET</div>',
        '<p style="display:table-column">SECRET',
        '<p style="width:100px;overflow:hidden;text-indent:200px">SECRET',
        '<div style="height:20px;overflow:hidden;line-height:300px">SECRET</div>',
        (
            '<div style="width:300px;overflow:hidden;white-space:nowrap">x<span style="padding-left:600px">SECRET'
            "</span></div>"
        ),
        '<div style="height:30px;overflow:hidden"><div style="height:200px"></div><p>SECRET</div>',
        '<p style="position:absolute;left:calc(100% + 1px);width:100%">SECRET',
        '<p style="height:0;overflow:hidden;height:20">SECRET',
        '<div style="overflow:hidden;max-width:0;display:inline-block;white-space:nowrap">SECRET</div>',
        '<div style="contain:strict">SECRET</div>',
        (
            '<div style="display:flex;overflow:hidden"><div style="flex:0 0 0;overflow:hidden;min-width:0;white-s'
            'pace:nowrap">SECRET</div></div>'
        ),
        '<p style="aspect-ratio:99999;overflow:hidden">SECRET',
        '<div style="column-width:1px;height:1px;overflow:hidden">SECRET</div>',
        '<p style="display:inline-block;width:0;height:0;overflow:hidden">SECRET',
        '<p style="min-height:0;max-height:calc(1px + 1px);overflow:hidden auto">SECRET',
    ],
    "shapes and transforms": [
        '<p style="position:absolute;clip:rect(10px,0,10px,0)">SECRET',
        '<p style="clip-path:polygon(0 0,100% 100%,0 0)">SECRET',
        '<p style="clip-path:circle(.1px)">SECRET',
        '<p style="clip-path:circle(9px at -99px -99px)">SECRET',
        '<p style="transform:matrix(1,0,0,0,0,0)">SECRET',
        '<div style="scale:.2"><div style="scale:.2"><p style="scale:.2">SECRET',
        '<p style="rotate:0 1 0 90deg">SECRET',
        '<p style="transform:translate(-9999px">SECRET',
        '<p style="color:#fff;background:#000;background-clip:text">SECRET',
        '<p style="transform:scale(0);-moz-transform:scale(1)">SECRET',
        '<p style="transform:scale(.2);transform-origin:-9999px 0">SECRET',
        '<p style="transform:rotateY(180deg);backface-visibility:hidden">SECRET',
        '<p style="translate:-100% 0">SECRET',
        '<div style="rotate:45deg"><p style="rotate:45deg">SECRET',
        '<p style="overflow:visible;overflow:hidden clip;height:0">SECRET',
        '<p style="clip-path:inset(0 60% 0 60%)">SECRET',
        '<p style="clip-path:ellipse(1px 1px at 50% 50%)">SECRET',
        "<p style=\"clip-path:path('M0 0H0V0Z')\">SECRET",
        '<p style="position:absolute;clip:rect(auto,0,auto,auto)">SECRET',
        '<p style="transform:translateZ(0) scale3d(1,1,0)">SECRET',
    ],
    "cannot be told": [
        '<p style="filter:brightness(0) invert(1)">SECRET',
        '<p style="mix-blend-mode:screen">SECRET',
        "<details><summary>more</summary>SECRET</details>",
        '<body link=white><a href="http://x">SECRET</a>',
        '<p style="mask:linear-gradient(#000,#000) no-repeat 0 0/0 0">SECRET',
        (
            "<style>p{content:url(data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7)"
            "}</style><p>SECRET"
        ),
        '<p style="-webkit-text-stroke:20px white">SECRET',
        '<p style="-webkit-text-security:disc">SECRET',
        "<p style=\"offset-path:path('M -900 0')\">SECRET",
        (
            '<div style="display:grid;grid-template-rows:0;overflow:hidden"><p style="min-height:0;overflow:hidde'
            'n">SECRET</div>'
        ),
        '<p style="backdrop-filter:invert(1)"><span style="color:#fff">SECRET</span>',
        '<p style="font-size-adjust:0">SECRET',
        "<div><template shadowrootmode=open></template>SECRET</div>",
        '<table><col style="visibility:collapse"><tr><td>SECRET</table>',
        "<body text=white>SECRET",
        '<font color=ffffff00>SECRET</font><body bgcolor="#ffff00">',
        '<p style="filter:opacity(.2) opacity(.2)">SECRET',
        "<details><summary>a</summary><summary>SECRET</summary></details>",
        "<details><div><summary>SECRET</summary></div></details>",
        '<meta name=color-scheme content=dark><p style="color:#111">SECRET',
        '<style>:root{color-scheme:dark}</style><p style="color:#111">SECRET',
        '<div style="container-type:size;overflow:hidden">SECRET</div>',
        '<p style="mask-image:linear-gradient(transparent 99%,#000)">SECRET',
        '<p style="perspective:1px"><span style="display:inline-block;transform:translateZ(2px)">SECRET</span>',
        '<p style="animation:k 1s" class=a><style>@keyframes k{0%,100%{transform:scale(0)}}</style>SECRET',
        '<p style="animation:1s infinite \'k k\'"><style>@keyframes "k k"{0%,100%{opacity:0}}</style>SECRET',
    ],
    "declarations that browsers drop": [
        '<p style="color:#fff;color:rgb(0,0 0)">SECRET',
        '<p style="color:#fff;color:hsl(0,0,0)">SECRET',
        '<p style="color:#fff;color:rgb(0deg,0,0)">SECRET',
        '<p style="color:#fff;color:rgb(0,0%,0)">SECRET',
        '<p style="color:#fff;color:hwb(0,0%,100%)">SECRET',
        '<p style="color:#fff;color:lab(0,0,0)">SECRET',
        '<p style="color:#fff;background:#000 0 0 0 0 0">SECRET',
        '<p style="color:#fff;background:#000 / cover">SECRET',
        '<p style="color:#fff;background:#000 left left">SECRET',
        '<p style="color:#fff;background:#000 no-repeat repeat-x">SECRET',
        '<p style="color:#fff;background:linear-gradient(#000 #000)">SECRET',
        '<p style="color:#fff;background:linear-gradient(top,#000,#000)">SECRET',
        '<p style="color:#fff;background:-webkit-linear-gradient(to top,#000,#000)">SECRET',
        '<p style="color:#fff;background:-moz-linear-gradient(#000,#000)">SECRET',
        '<p style="color:#fff;background:linear-gradient(#000,,#000)">SECRET',
        '<p style="font-size:0;font:bold bold 12px a">SECRET',
        '<p style="font-size:0;font:12px a,">SECRET',
        '<p style="font-size:0;font:12px 5a">SECRET',
        '<p style="transform:scale(0);transform:rotate(5)">SECRET',
        '<p style="transform:scale(0);transform:translate(5)">SECRET',
        '<p style="clip-path:circle(0);clip-path:circle(99px 99px)">SECRET',
        '<p style="filter:opacity(0);filter:blur(1)">SECRET',
        '<p style="filter:opacity(0);filter:blur(-1px)">SECRET',
    ],
    "texts beside their ground, and boxes that are full": [
        '<div style="background:#000;color:#fff"><p style="float:left">SECRET</p></div>',
        '<div style="background:#000;color:#fff"><p style="position:absolute;top:200px">SECRET</p></div>',
        '<div style="background:#000;color:#fff"><p style="position:relative;top:200px">SECRET</p></div>',
        '<div style="background:#000;color:#fff"><p style="transform:translateY(300px)">SECRET</p></div>',
        '<div style="background:#000;color:#fff;display:inline"><p>SECRET</p></div>',
        '<div style="background:#000;color:#fff;display:contents"><p>SECRET</p></div>',
        '<span style="background:#000;color:#fff"><div>SECRET</div></span>',
        (
            '<table><tr style="background:#000;visibility:visible"><td style="color:#fff;position:absolute;left:4'
            '00px">SECRET</table>'
        ),
        '<table style="background:#000"><caption style="color:#fff">SECRET</caption></table>',
        '<div style="overflow:hidden;height:40px"><img src=x height=60 width=10><p>SECRET',
        '<div style="overflow:hidden;height:40px"><p style="font-size:60px">x</p><p>SECRET',
        '<div style="overflow:hidden;width:100px"><div style="width:900px;text-align:right">SECRET</div>',
        '<div style="overflow:hidden;width:100px"><div style="width:900px;direction:rtl">SECRET</div>',
        '<div style="overflow:hidden;width:100px;white-space:nowrap"><p style="text-align:center;width:2000px">SECRET',
        '<p style="text-align:right;width:9000px">SECRET',
        '<p style="direction:rtl;width:9000px">SECRET',
        '<div style="filter:brightness(1.25)"><div style="filter:brightness(1.25)"><p style="color:#ccc">SECRET',
        "<style>@layer a{p{display:none}}@layer a.b{p{display:block}}</style><p>SECRET",
    ],
    "boxes that are full of what is no text": [
        '<div style="overflow:hidden;height:30px"><table height=100><td>x</table>SECRET</div>',
        '<div style="overflow:hidden;height:30px"><table height=100><td>SECRET</table></div>',
        '<div style="overflow:hidden;height:30px"><table cellpadding=40><td>SECRET</table></div>',
        '<div style="overflow:hidden;height:30px"><video height=90></video>SECRET</div>',
        '<div style="overflow:hidden;height:30px"><iframe height=90></iframe>SECRET</div>',
        '<div style="overflow:hidden;height:30px"><svg height=90 width=9></svg><p>SECRET</div>',
        '<div style="overflow:hidden;height:30px"><textarea rows=9></textarea><p>SECRET</div>',
        '<div style="overflow:hidden;height:30px"><select size=9><option>x</select><p>SECRET</div>',
        '<div style="overflow:hidden;height:30px"><object height=90></object><p>SECRET</div>',
        '<div style="overflow:hidden;height:30px"><input style="height:90px"><p>SECRET</div>',
        '<div style="overflow:hidden;height:30px"><p>a<p>SECRET</div>',
        '<div style="overflow:hidden;height:30px"><p style="padding:45px 0"></p>SECRET</div>',
        (
            '<style>div::before{content:"";display:block;height:90px}</style><div style="overflow:hidden;height:30px">'
            "SECRET</div>"
        ),
        (
            '<style>p::before{content:"aaaaaaaaaaaaaaaaaaaaaaaaa"}</style><p style="overflow:hidden;width:50px;'
            'white-space:nowrap">SECRET'
        ),
        '<pre style="overflow:hidden;height:20px">a\n\n\nSECRET</pre>',
        '<div style="overflow:hidden;height:20px;white-space:pre-line">a\n\n\nSECRET</div>',
        '<style>p::after{content:"";position:absolute;inset:0;background:#fff}p{position:relative}</style><p>SECRET',
        '<div style="content-visibility:auto;contain-intrinsic-size:0 0;height:0">SECRET',
    ],
    "lines and rows that go on past an edge": [
        '<pre style="overflow:hidden;width:20px">a          SECRET</pre>',
        '<p style="overflow:hidden;width:50px;white-space:nowrap">aaaaaaaaaaaaaaaaaaaaaaa SECRET',
        '<p style="overflow:hidden;width:5em;text-wrap-mode:nowrap">aaaaaaaaaaaaaaaaaaaaaaa SECRET',
        '<p style="overflow:hidden;width:50px;text-wrap:nowrap">aaaaaaaaaaaaaaaaaaaaaaa SECRET',
        '<nobr style="display:block;overflow:hidden;width:50px">aaaaaaaaaaaaaaaaaaaaaaa SECRET</nobr>',
        '<div style="overflow:hidden;width:50px"><nobr>aaaaaaaaaaaaaaaaaaaaaaa <b>SECRET</b></nobr></div>',
        '<p style="overflow:hidden;width:50px;white-space:nowrap"><img src=x width=90 height=9> SECRET',
        '<table style="table-layout:fixed;width:40px"><td nowrap style="overflow:hidden">aaaaaaaaaaaaa SECRET</table>',
        (
            '<table width=10 style="table-layout:fixed"><td style="overflow:hidden;white-space:nowrap;padding:0"><span '
            'style="padding-left:50px">SECRET</span></table>'
        ),
        (
            '<table style="table-layout:fixed;width:300px"><col width=0><col><td style="overflow:hidden;padding:0;font-'
            'size:9px">SECRET<td>x</table>'
        ),
        (
            '<div style="display:flex;width:200px;overflow:hidden"><p style="flex:0 0 200px">x<p style="flex:0 0 '
            '200px">SECRET'
        ),
        '<div style="display:flex;overflow:hidden;width:99px"><div style="flex:none;width:99px">a</div>SECRET</div>',
        '<div style="display:grid;grid-template:0/0;overflow:hidden">SECRET',
        '<div style="display:grid;grid-auto-rows:0;overflow:hidden"><p>SECRET',
        '<div style="display:grid;grid:0/1fr;overflow:hidden"><p style="margin:0;min-height:0">SECRET',
        (
            '<div style="display:grid;grid-template-columns:0 1fr;overflow:hidden"><p style="overflow:h'
            "idden;white-space:"
            'nowrap">SECRET'
        ),
        (
            '<div style="display:grid;grid-template-rows:1px"><div style="background:#000;color:#fff;min-height:0">'
            "SECRET"
        ),
        '<p style="word-spacing:-9999px">a SECRET',
        '<p style="outline:100px solid #fff;outline-offset:-50px">SECRET',
        '<div style="background:#000;color:#fff;width:30px"><p style="width:400px;text-align:right">SECRET',
        '<div style="background:#000;color:#fff;contain:size">SECRET',
        '<span style="color:#fff;background:#000;font-size:20px;line-height:0;display:block">SECRET</span>',
    ],
}

PAINTED: Set[str] = frozenset(
    {
        '<p style="color:#333;background-color:currentcolor">SECRET',
        '<p style="color:color-mix(in srgb,white 99%,black)">SECRET',
        '<p style="color:white;background:attr(x type(<color>),#000)">SECRET',
        '<div style="opacity:.05;background:#000"><p style="color:#fff">SECRET',
        '<p style="letter-spacing:-1em">SECRET',
        '<p style="vertical-align:9999px"><span style="vertical-align:9999px">SECRET</span>',
        '<div style="zoom:.3"><div style="zoom:.3">SECRET',
        '<p style="font:1px/1 a,b">SECRET',
        '<p style="letter-spacing:-20px">SECRET',
        '<p style="color:#fff;background:#000;background-clip:text">SECRET',
        '<p style="mix-blend-mode:screen">SECRET',
        '<p style="backdrop-filter:invert(1)"><span style="color:#fff">SECRET</span>',
        '<p style="filter:opacity(.2) opacity(.2)">SECRET',
        '<meta name=color-scheme content=dark><p style="color:#111">SECRET',
        '<style>:root{color-scheme:dark}</style><p style="color:#111">SECRET',
    }
)
"""Those of the hidden ones that Chromium paints all the same: hardly to be read, or in this browser only."""

SHOWN: Sequence[str] = [
    '<p style="background-color:#fff;background:#000;color:#fff">SECRET',
    '<p style="background:#000 url(http://x.invalid/a.png) center/cover no-repeat;color:#fff">SECRET',
    '<td background="http://x.invalid/a.png" bgcolor="#222222" style="color:#fff">SECRET',
    '<table background="http://x.invalid/a.png"><td>SECRET</table>',
    '<p style="background:linear-gradient(90deg,#1a2980,#26d0ce);color:#fff">SECRET',
    '<p style="background:#1a2980 linear-gradient(to right,#1a2980 0%,#26d0ce 100%) no-repeat;color:#fff">SECRET',
    '<p style="background:#222;background:linear-gradient(#222,#333) 0 0/100% 100%;color:#eee">SECRET',
    '<p style="color:#333;background:none">SECRET',
    '<p style="color:#fff;background-color:#000;background-color:#12345">SECRET',
    '<p style="color:#000;background:#000;background-clip:text">SECRET',
    '<p style="background:transparent;color:#333">SECRET',
    '<p style="background:inherit">SECRET',
    '<p style="color:color-mix(in srgb,white 20%,black)">SECRET',
    '<p style="color:rgb(calc(20) 20 20 / .9)">SECRET',
    '<p style="color:oklch(0.4 0.1 30)">SECRET',
    '<p style="color:color(display-p3 .1 .2 .3)">SECRET',
    '<p style="color:red!ie;color:#333">SECRET',
    '<p style="color:#333;color:#12345">SECRET',
    '<font color="#333333;">SECRET</font>',
    '<font color="chucknorris">SECRET</font>',
    '<body link="#0055aa" text="#222222"><a href="http://x.invalid">SECRET</a>',
    '<p style="-webkit-text-fill-color:#fff"><b style="-webkit-text-fill-color:#222">SECRET</b>',
    '<p style="box-shadow:0 1px 3px rgba(0,0,0,.3)">SECRET',
    '<p style="box-shadow:inset 0 0 4px #ccc">SECRET',
    '<p style="font:0/0 a;font:16px/1.5 Arial,sans-serif">SECRET',
    '<p style="font:italic bold .9em/1.2 Georgia,serif">SECRET',
    '<p style="font-size:0;font:inherit">SECRET',
    '<p style="font-size:14px;font-size:-5px">SECRET',
    '<p style="font-size:14px;font-size:large">SECRET',
    '<p style="margin:0 0 0 -9999px;margin:0">SECRET',
    '<p style="margin-left:36pt;text-indent:-18pt">SECRET',
    '<div style="margin:0 -15px"><div style="padding:0 15px">SECRET</div></div>',
    '<p style="padding:40px 5%;margin:0 auto;max-width:600px">SECRET',
    '<p style="position:absolute;left:-9999px;left:20px">SECRET',
    '<p style="position:absolute;left:50%;transform:translateX(-50%)">SECRET',
    '<p style="position:relative;top:-4px">SECRET',
    '<p style="position:fixed;bottom:20px;right:20px">SECRET',
    '<p style="display:inline-block;transform:rotate(20deg) scale(1.1)">SECRET',
    '<p style="transform:none;scale:none;rotate:none;translate:none">SECRET',
    '<p style="transform:translate3d(0,0,0)">SECRET',
    '<p style="-webkit-transform:scale(0);transform:scale(1)">SECRET',
    '<p style="scale:.9 .9;translate:4px 4px">SECRET',
    '<p style="clip:rect(0,0,0,0)">SECRET',
    '<p style="clip-path:inset(0 round 8px)">SECRET',
    '<p style="clip-path:circle(75%)">SECRET',
    '<p style="clip-path:polygon(0 0,100% 0,100% 90%,0 100%)">SECRET',
    '<p style="zoom:1;opacity:.99">SECRET',
    '<p style="filter:none;backdrop-filter:none;mix-blend-mode:normal;animation:none;mask:none">SECRET',
    '<p style="filter:drop-shadow(0 1px 1px #ccc) brightness(1.1)">SECRET',
    '<p style="letter-spacing:2px;word-spacing:1px;vertical-align:top">SECRET',
    '<p style="letter-spacing:-.5px">SECRET',
    '<p style="height:40px;overflow:hidden">SECRET',
    '<p style="max-height:3em;overflow:hidden">SECRET',
    '<p style="height:1px">SECRET',
    '<table style="height:10px;overflow:hidden"><td style="padding:30px">SECRET</table>',
    '<div style="height:60px;overflow:hidden">one<br>two<br>SECRET</div>',
    '<div style="width:600px;overflow:hidden"><p style="padding:20px">SECRET</div>',
    '<div style="height:200px;overflow:auto">one<br>two<br>SECRET</div>',
    '<div style="display:-webkit-box;-webkit-line-clamp:2;-webkit-box-orient:vertical;overflow:hidden">SECRET</div>',
    '<div style="display:flex;overflow:hidden"><div style="flex:1;min-width:0;overflow:hidden">SECRET</div></div>',
    '<div style="aspect-ratio:16/9;overflow:hidden">SECRET</div>',
    '<p style="mso-hide:all;mso-line-height-rule:exactly">SECRET',
    '<p style="-ms-text-size-adjust:100%;-webkit-text-size-adjust:100%">SECRET',
    '<p style="content:normal;columns:1;z-index:1;position:relative">SECRET',
    "<details open><summary>a</summary>SECRET</details>",
    "<details><summary>SECRET</summary>a</details>",
    '<p style="display:none;all:unset">SECRET',
    '<div style="opacity:.9"><p style="opacity:inherit">SECRET',
    '<style>*{--W:block}</style><p style="display:none;display:var(--W)">SECRET',
    '<style>*{--a:;}</style><p style="color:#222 var(--a)">SECRET',
    '<p style="--c:#222;color:var(--c,white)">SECRET',
    '<p style="color:var(--none,var(--too,#222))">SECRET',
    '<p style="--b:1px solid;--m:0 auto;margin:var(--m);border:var(--b)">SECRET',
    "<style>@supports not (display:grid){p{display:none}}</style><p>SECRET",
    "<style>@supports (display:zz){p{display:none}}</style><p>SECRET",
    "<style>@supports (display:grid) and (display:zz){p{display:none}}</style><p>SECRET",
    "<style>@media (min-width:1.2.3px){p{display:none}}</style><p>SECRET",
    "<style>@media not (min-width:zz){p{display:none}}</style><p>SECRET",
    "<style>@media screen or (color){p{display:none}}</style><p>SECRET",
    (
        "<style>@media only screen and (max-device-width:480px),screen and (max-width:600px){p{display:none!i"
        "mportant}}</style><p>SECRET"
    ),
    "<style>@media (max-width:calc(600px - 1px)){p{display:none}}</style><p>SECRET",
    "<style>@media (100px <= width <= 600px){p{display:none}}</style><p>SECRET",
    "<style>@media (prefers-color-scheme:dark){p{color:#fff!important}}</style><p>SECRET",
    "<style>@media print{p{display:none}}</style><p>SECRET",
    "<style>@media all and (-ms-high-contrast:none),(-ms-high-contrast:active){p{display:none}}</style><p>SECRET",
    '<style media="print">p{display:none}</style><p>SECRET',
    '<style type="text/css">p{color:#333}</style><p>SECRET',
    '<style type="text/x">p{display:none}</style><p>SECRET',
    "<template><style>p{display:none}</style></template><p>SECRET",
    "<style>p{display:block}@layer x{p{display:none}}</style><p>SECRET",
    "<style>.a,..b{display:none}</style><p class=a>SECRET",
    "<style>.a,.b:nth-child(x){display:none}</style><p class=a>SECRET",
    "<style>p::before,p::after,p::selection,p::-webkit-scrollbar{display:none;color:#fff}</style><p>SECRET",
    "<style>p:hover,p:focus,p:active,a:visited{display:none}</style><p>SECRET",
    "<style>p::first-letter{font-size:2em;color:#a00}</style><p>SECRET",
    "<style>u + .body .x,#MessageViewBody .x,[owa] .x,.ExternalClass .x{display:none}</style><p class=x>SECRET",
    '<style>@import url("https://fonts.invalid/css?family=Roboto");p{font-family:Roboto,sans-serif}</style><p>SECRET',
    '<link rel=stylesheet href="https://fonts.invalid/a.css"><p>SECRET',
    "<style>@font-face{font-family:x;src:url(data:font/woff2;base64,AAAA)}p{color:#333}</style><p>SECRET",
    "<style>@keyframes k{from{color:red}to{color:blue}}b{animation:k 1s}</style><p>SECRET",
    '<p style="animation:nothing 1s">SECRET',
    '<style>:root{color-scheme:light dark}</style><meta name=color-scheme content="light dark"><p>SECRET',
    "<style>@namespace url(http://www.w3.org/1999/xhtml);p{color:#333}</style><p>SECRET",
    "<style>p{color:#333;& b{color:#444}@media screen{font-size:15px}}</style><p><b>SECRET</b>",
    "<style>@container (max-width:100px){b{display:none}}</style><p>SECRET",
    "<style>p{display:none}@scope (body){p{display:none}}p{display:block!important}</style><p>SECRET",
    (
        '<p style="background:-webkit-linear-gradient(left,#222,#333);background:-moz-linear-gradient(left,#2'
        '22,#333);background:linear-gradient(to right,#222,#333);color:#fff">SECRET'
    ),
    '<table><td style="background:#222"><div style="float:left;color:#fff">SECRET</div></table>',
    '<div style="background:#222;overflow:hidden"><div style="float:left;color:#fff">SECRET</div></div>',
    '<span style="background:#222;color:#fff"><b>SECRET</b></span>',
    '<div style="background:#222;color:#fff"><p style="position:relative;top:-3px;margin-top:-4px">SECRET</div>',
    "<p style=\"font:normal normal 400 14px/20px Arial,'Helvetica Neue',sans-serif\">SECRET",
    '<div style="height:40px;overflow:hidden;font-size:14px;line-height:20px">one<br>SECRET</div>',
    '<p style="width:1200px">SECRET',
    '<table style="table-layout:fixed;width:600px"><td style="overflow:hidden">SECRET</table>',
    '<table width="600" style="table-layout:fixed"><td style="overflow:hidden;word-break:break-word">SECRET</table>',
    (
        '<table style="table-layout:fixed;width:100%"><colgroup><col width="120"><col></colgroup><td style="o'
        'verflow:hidden">a<td>SECRET</table>'
    ),
    '<div style="overflow:hidden;height:60px"><img src=x height=20 width=20> SECRET</div>',
    '<div style="overflow:hidden;max-height:80px"><table cellpadding=4><td>SECRET</table></div>',
    '<div style="overflow:hidden;height:100px"><table height=80><td>SECRET</table></div>',
    '<div style="overflow:hidden;height:100px"><table height="100%"><td>SECRET</table></div>',
    '<a style="background:#007bff;color:#fff;display:inline-block;width:200px;white-space:nowrap">SECRET</a>',
    (
        '<a style="background:#007bff;color:#fff;display:inline-block;padding:10px 20px;white-space:nowrap;ov'
        'erflow:hidden">SECRET</a>'
    ),
    (
        '<p style="white-space:nowrap;overflow:hidden;text-overflow:ellipsis;width:300px">SECRET and a long r'
        "est of it that is cut off at the end of the line</p>"
    ),
    (
        '<p style="white-space:nowrap;overflow:hidden;text-overflow:ellipsis;width:200px">one line that is mu'
        "ch too long for a box of two hundred pixels</p><p>SECRET"
    ),
    '<div style="overflow:hidden"><p style="white-space:nowrap">one long line <b>SECRET',
    '<pre style="overflow:auto">one\ntwo\nSECRET</pre>',
    '<pre style="overflow:auto;white-space:pre-wrap;max-width:600px">one\ntwo\nSECRET</pre>',
    '<pre style="overflow:hidden;height:60px">one\ntwo\nSECRET</pre>',
    '<div style="width:600px;overflow:hidden;white-space:pre-wrap">one\n\ntwo\nSECRET</div>',
    (
        '<div style="display:flex;width:600px;overflow:hidden"><div style="width:200px">a</div><div style="wi'
        'dth:300px">SECRET</div></div>'
    ),
    '<div style="display:flex;flex-wrap:wrap;width:600px;overflow:hidden"><div>a</div><div>SECRET</div></div>',
    '<div style="display:flex;flex-direction:column;width:600px;overflow:hidden"><div>a</div><div>SECRET</div></div>',
    '<div style="display:flex"><div>a</div><div>SECRET</div></div>',
    (
        '<div style="display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:10px"><div>a</div><div>SE'
        "CRET</div></div>"
    ),
    '<div style="display:grid;grid-template-columns:120px 1fr"><div>a</div><div>SECRET</div></div>',
    '<div style="display:grid;grid-template-columns:1fr auto"><div>a</div><div>SECRET</div></div>',
    '<div style="display:grid;grid-template:auto 1fr/100px 200px"><div>a</div><div>SECRET</div></div>',
    (
        '<div style="display:grid;grid-template-columns:repeat(auto-fit,minmax(240px,1fr))"><div>a</div><div>'
        "SECRET</div></div>"
    ),
    (
        '<style>.c::before,.c::after{content:"";display:table;clear:both}</style><div class=c style="overflow'
        ':hidden;height:40px">SECRET</div>'
    ),
    (
        '<style>.c::before{content:" ";display:table}.c:after{clear:both;content:".";display:block;height:0;v'
        'isibility:hidden}</style><div class=c style="overflow:hidden">SECRET</div>'
    ),
    '<style>p::before{content:"* "}</style><p>SECRET',
    (
        '<style>h2::after{content:"";position:absolute;left:0;bottom:0;height:2px;background:#a00}</style><h2'
        ' style="position:relative">SECRET</h2>'
    ),
    '<style>p:before{content:"";background:#eee}</style><p>SECRET',
    '<p style="word-spacing:.2em">SECRET',
    '<p style="word-spacing:normal">SECRET',
    '<p style="word-spacing:2px;outline:1px solid #ccc;outline-offset:2px">SECRET',
    '<div style="width:600px;overflow:hidden"><iframe height=90></iframe><p>SECRET</div>',
    '<div style="width:600px;max-width:100%;overflow:hidden"><img src=x width=600 height=300><p>SECRET</div>',
    '<div style="overflow:hidden;height:400px"><h1>One</h1><p>Two<p>Three<p>SECRET</div>',
    '<div style="background:#222;width:600px"><p style="width:600px;color:#fff">SECRET</div>',
    '<table style="background:#222;width:100%"><td><div style="width:600px;color:#fff">SECRET</div></table>',
    "<td nowrap>SECRET</td>",
    '<table><td nowrap style="overflow:hidden">SECRET</table>',
    "<nobr>SECRET</nobr>",
    '<p style="line-height:1.4;background:#222;color:#fff">SECRET',
    '<p style="line-height:24px;background:#222;color:#fff">SECRET',
    '<p style="line-height:140%;background:#222;color:#fff">SECRET',
    '<p style="mso-line-height-rule:exactly;line-height:100%;background:#222;color:#fff">SECRET',
    '<div style="content-visibility:auto">SECRET</div>',
    '<div style="overflow:hidden;height:1.5em;line-height:1.5em">SECRET</div>',
    '<div style="overflow:hidden;max-height:500px"><p>Hi<ul><li>one<li>two<li>SECRET</ul></div>',
    (
        '<table style="width:600px;overflow:hidden" nowrap><tr><td width=300>aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'
        "<td width=300>SECRET</table>"
    ),
    (
        '<table style="width:600px;white-space:nowrap;overflow:hidden"><tr><td width=300>aaaaaaaaaaaaaaaaaaaa'
        "aaaaaaaaaaaa<td width=300>SECRET</table>"
    ),
]
