{ An example unit for the contest: fires where most of the ships that are still afloat could be. }
unit Heatmap;

{$mode objfpc}

interface

type
  TMapRow = array of Integer;
  TMap = array of TMapRow;
  TCoordinates = array of Integer;

procedure onSetStart();
function getMap(): TMap;
function shoot(): TCoordinates;
procedure shotResult(resultCode: Integer);

implementation

const
  Last = 9;
  Longest = 4;
  Kill = 3;

type
  TCell = (Unknown, Water, Hit);

var
  Sea: array[0..Last, 0..Last] of TCell;
  Afloat: array[1..Longest] of Integer; { ships by length }
  Wounded: Integer; { hits on the ship that is not sunk yet }
  Row, Column: Integer; { of the last shot }

procedure onSetStart();
var
  Size: Integer;
begin
  FillChar(Sea, SizeOf(Sea), Ord(Unknown));
  for Size := 1 to Longest do
    Afloat[Size] := Longest + 1 - Size;
  Wounded := 0;
end;

function IsOnBoard(R, C: Integer): Boolean;
begin
  Result := (R >= 0) and (R <= Last) and (C >= 0) and (C <= Last);
end;

function IsHit(R, C: Integer): Boolean;
begin
  Result := IsOnBoard(R, C) and (Sea[R, C] = Hit);
end;

{ Whether no ship is on these cells or beside them. }
function IsFree(const Map: TMap; Top, Left, Bottom, Right: Integer): Boolean;
var
  R, C: Integer;
begin
  if (Bottom > Last) or (Right > Last) then
    Exit(False);
  for R := Top - 1 to Bottom + 1 do
    for C := Left - 1 to Right + 1 do
      if IsOnBoard(R, C) and (Map[R][C] = 1) then
        Exit(False);
  Result := True;
end;

{ Places a ship at random; after many vain attempts there is probably no room for it. }
function TryToPlace(const Map: TMap; Size: Integer): Boolean;
var
  Attempt, I, Top, Left, Down: Integer;
begin
  for Attempt := 1 to 500 do
  begin
    Top := Random(Last + 1);
    Left := Random(Last + 1);
    Down := Random(2);
    if not IsFree(Map, Top, Left, Top + Down * (Size - 1), Left + (1 - Down) * (Size - 1)) then
      Continue;
    for I := 0 to Size - 1 do
      Map[Top + Down * I][Left + (1 - Down) * I] := 1;
    Exit(True);
  end;
  Result := False;
end;

function getMap(): TMap;
var
  Size, Number: Integer;
  HasAll: Boolean;
begin
  repeat
    Result := nil;
    SetLength(Result, Last + 1, Last + 1);
    HasAll := True;
    for Size := Longest downto 1 do
      for Number := Size to Longest do
        HasAll := HasAll and TryToPlace(Result, Size);
  until HasAll;
end;

{ Whether a ship can be here: not on water, and on all hits of the wounded one. }
function CanBe(Top, Left, Down, Size: Integer): Boolean;
var
  I, Hits: Integer;
begin
  if (Top + Down * (Size - 1) > Last) or (Left + (1 - Down) * (Size - 1) > Last) then
    Exit(False);
  Hits := 0;
  for I := 0 to Size - 1 do
    case Sea[Top + Down * I, Left + (1 - Down) * I] of
      Water: Exit(False);
      Hit: Inc(Hits);
    end;
  Result := Hits = Wounded;
end;

{ Shots that finish a wounded ship go beside its hits: farther away another ship may be. }
function IsCandidate(R, C: Integer): Boolean;
var
  Step: Integer;
begin
  Result := (Wounded = 0) and (Sea[R, C] = Unknown);
  if Sea[R, C] = Unknown then
    for Step := -1 to 1 do
      Result := Result or IsHit(R + Step, C) or IsHit(R, C + Step);
end;

function shoot(): TCoordinates;
var
  Heat: array[0..Last, 0..Last] of Integer;
  R, C, I, Down, Size, Hottest, Equals: Integer;
begin
  FillChar(Heat, SizeOf(Heat), 0);
  for Size := 1 to Longest do
    for Down := 0 to 1 do
      for R := 0 to Last do
        for C := 0 to Last do
          if CanBe(R, C, Down, Size) then
            for I := 0 to Size - 1 do
              Inc(Heat[R + Down * I, C + (1 - Down) * I], Afloat[Size]);
  Hottest := -1;
  Equals := 0;
  for R := 0 to Last do
    for C := 0 to Last do
    begin
      if not IsCandidate(R, C) or (Heat[R, C] < Hottest) then
        Continue;
      if Heat[R, C] > Hottest then
        Equals := 0;
      Hottest := Heat[R, C];
      Inc(Equals);
      { Each of several equal cells is taken equally often. }
      if Random(Equals) = 0 then
      begin
        Row := R;
        Column := C;
      end;
    end;
  Result := TCoordinates.Create(Row, Column);
end;

{ The wounded ship is sunk: it and all cells around it are water from now on. }
procedure Sink();
var
  R, C, Near, Beside: Integer;
begin
  Dec(Afloat[Wounded]);
  Wounded := 0;
  for R := 0 to Last do
    for C := 0 to Last do
      if Sea[R, C] = Hit then
        for Near := R - 1 to R + 1 do
          for Beside := C - 1 to C + 1 do
            if IsOnBoard(Near, Beside) and (Sea[Near, Beside] = Unknown) then
              Sea[Near, Beside] := Water;
  for R := 0 to Last do
    for C := 0 to Last do
      if Sea[R, C] = Hit then
        Sea[R, C] := Water;
end;

procedure shotResult(resultCode: Integer);
begin
  if resultCode = 0 then
    Sea[Row, Column] := Water
  else
  begin
    Sea[Row, Column] := Hit;
    Inc(Wounded);
  end;
  if resultCode = Kill then
    Sink();
end;

end.
