{ Plays soundly: always places the same fleet, and shoots row by row. Tests replace the remarks with braces and hashes. }
unit Good;

{$mode objfpc}{$H+}

interface

type
  TMapRow = array of Integer;
  TMap = array of TMapRow;
  TCoordinates = array of Integer;

procedure setParameters(setCount: Integer);
procedure onGameStart();
procedure onSetStart();
function getMap(): TMap;
function shoot(): TCoordinates;
procedure shotResult(resultCode: Integer);
procedure onOpponentShot(cell: TCoordinates);
procedure onSetEnd();
procedure onGameEnd();

implementation

{#used}

const
  Fleet: array[0..9] of string = ('1111000000', '0000000000', '1110111000', '0000000000', '1101101100', '0000000000',
    '1010101000', '0000000000', '0000000000', '0000000000');

var
  Shots: Integer;

procedure setParameters(setCount: Integer);
begin
  WriteLn('setParameters ', setCount);
end;

procedure onGameStart();
begin
  WriteLn('onGameStart');
end;

procedure onSetStart();
begin
  WriteLn('onSetStart');
  Shots := 0;
end;

function getMap(): TMap;
var
  Row, Column: Integer;
begin
  WriteLn('getMap');
  SetLength(Result, 10, 10);
  for Row := 0 to 9 do
    for Column := 0 to 9 do
      Result[Row][Column] := Ord(Fleet[Row][Column + 1]) - Ord('0');
  {#map}
end;

function shoot(): TCoordinates;
begin
  WriteLn('shoot');
  SetLength(Result, 2);
  Result[0] := Shots div 10;
  Result[1] := Shots mod 10;
  Inc(Shots);
  {#shot}
end;

procedure shotResult(resultCode: Integer);
begin
  WriteLn('shotResult ', resultCode);
end;

procedure onOpponentShot(cell: TCoordinates);
begin
  WriteLn('onOpponentShot ', cell[0], ' ', cell[1]);
  {#told}
end;

procedure onSetEnd();
begin
  WriteLn('onSetEnd');
end;

procedure onGameEnd();
begin
  WriteLn('onGameEnd');
  {#end}
end;

{#last}

end.
